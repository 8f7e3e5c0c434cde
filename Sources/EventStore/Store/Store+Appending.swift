import Synchronization

/// Putting events into the log.
extension Store {
  /// Appends a batch, and returns once it is as durable as was asked for, and shown by the views.
  ///
  /// Little is shown as ``submitAndShow(_:durability:)`` has it, while the log writes it, though
  /// never on the caller's actor; of much, such as a page from a server, the store's own threads
  /// see to all of it.
  ///
  /// - Returns: The numbers of the records.
  /// - Throws: `closed`, and `log` with what ``Log/append(_:durability:)`` throws.
  /// - Precondition: The batch holds an event.
  @discardableResult @concurrent
  public func append(
    _ batch: Batch, durability: Durability = .full
  ) async throws(StoreError) -> ClosedRange<RecordNumber> {
    guard batch.isLittle else { return try await taken(submit(batch, durability: durability)) }
    return try await taken(show(batch, durability, isAwaited: true))
  }

  /// The numbers of a batch once it is as durable as was asked for, and shown by the views.
  ///
  /// - Throws: `closed`, and `log` with what ``Log/append(_:durability:)`` throws.
  @discardableResult
  package func taken(_ receipt: Receipt) async throws(StoreError) -> ClosedRange<RecordNumber> {
    do throws(LogError) {
      let numbers = try await receipt.durable()
      try await receipt.visible()
      // Where something else came in between it was taken back, and is shown in its place.
      if let upkeep = running.withLock({ $0?.upkeep }) {
        _ = await upkeep.reduced(upTo: numbers.upperBound)
      }
      return numbers
    } catch {
      throw .log(error)
    }
  }

  /// Begins to append a batch, and returns at once: what becomes of it the receipt says.
  ///
  /// - Throws: `closed`, and `log` with what ``Log/submit(_:durability:)`` throws.
  /// - Precondition: The batch holds an event.
  public func submit(
    _ batch: Batch, durability: Durability = .full
  ) throws(StoreError) -> Receipt {
    let log = try log
    do throws(LogError) { return try log.submit(batch, durability: durability) } catch {
      throw .log(error)
    }
  }

  /// Begins to append a batch, as ``submit(_:durability:)`` does, and shows it before this returns
  /// where nothing is on its way but what was submitted so: it is reduced on the calling thread,
  /// and who looks at what it changes is told there.
  ///
  /// For what a person does, on the thread that shows what comes of it, and for little that
  /// somebody waits to see: no other thread has to wake up for that. Where it can't be it is shown
  /// as soon as otherwise; the receipt says when. Who calls waits for the reducer, so not for
  /// events that touch very many rows. What is relaxed may be in the log some milliseconds later
  /// only, with what comes next.
  ///
  /// - Throws: `closed`, and `log` with what ``Log/submit(_:durability:)`` throws.
  /// - Precondition: The batch holds an event.
  public func submitAndShow(
    _ batch: Batch, durability: Durability = .full
  ) throws(StoreError) -> Receipt {
    try show(batch, durability, isAwaited: false)
  }

  /// Begins to append a batch and shows it where that can be.
  ///
  /// - Parameter isAwaited: Whether who calls is going to wait until it is durable, and not only
  ///   until it is shown.
  private func show(
    _ batch: Batch, _ durability: Durability, isAwaited: Bool
  ) throws(StoreError) -> Receipt {
    // The definitions are not needed, and are more than the rest.
    guard let (log, upkeep) = running.withLock({ $0.map { ($0.log, $0.upkeep) } }) else {
      throw .closed(path: path)
    }
    do throws(LogError) {
      let pipeline = upkeep.keeper?.pipeline
      let shown = try pipeline?.submitAhead(batch, durability, isAwaited: isAwaited, to: log)
      if let shown { return shown }
      return try log.submit(batch, durability: durability)
    } catch {
      throw .log(error)
    }
  }

  /// Says, where somebody is told of a batch, that what comes of it is about to be submitted: as
  /// ``Log/expectMore()``.
  package func expectMore() { try? log.expectMore() }

  /// Says that what was expected does not follow: as ``Log/expectNothing()``.
  package func expectNothing() { try? log.expectNothing() }

  /// Says that somebody waits for what was submitted and shown: as ``Log/hurry()``.
  package func hurry() { try? log.hurry() }
}

extension Batch {
  /// The bytes of records up to which a batch is shown by who appends it.
  private static let littleBytesMax = 1 << 16

  /// Whether it is shown by who appends it: of more, who reads the store would wait for all.
  package var isLittle: Bool {
    count <= Pipeline.inlineMax && byteCount <= Self.littleBytesMax && !isStepwise
  }
}
