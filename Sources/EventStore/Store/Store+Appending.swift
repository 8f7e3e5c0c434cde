import Synchronization

/// Appending events to the log.
extension Store {
  /// Appends a batch, and returns once it has the requested durability and the views show it.
  ///
  /// A small batch is shown as by ``submitAndShow(_:durability:)``, while the log writes it, but
  /// never on the caller's actor. For a large one, such as a page from a server, the store's own
  /// threads do all the work.
  ///
  /// - Returns: The numbers of the records.
  /// - Throws: `closed`, and `log` with what ``Log/append(_:durability:)`` throws.
  /// - Precondition: The batch isn't empty.
  @discardableResult @concurrent
  public func append(
    _ batch: Batch, durability: Durability = .full
  ) async throws(StoreError) -> ClosedRange<RecordNumber> {
    guard batch.isLittle else { return try await taken(submit(batch, durability: durability)) }
    return try await taken(show(batch, durability, isAwaited: true))
  }

  /// Returns a batch's record numbers once it has the requested durability and the views show it.
  ///
  /// - Throws: `closed`, and `log` with what ``Log/append(_:durability:)`` throws.
  @discardableResult
  package func taken(_ receipt: Receipt) async throws(StoreError) -> ClosedRange<RecordNumber> {
    do throws(LogError) {
      let numbers = try await receipt.durable()
      try await receipt.visible()
      await settle(upTo: numbers.upperBound)
      return numbers
    } catch {
      throw .log(error)
    }
  }

  /// Returns once the views show the log's records up to a number, or show nothing more.
  ///
  /// If other records came first, an early reduction was rolled back, and the batch is reduced
  /// again. If another process just ended, this one may be taking over the views.
  private func settle(upTo number: RecordNumber) async {
    while let upkeep = running.withLock({ $0?.upkeep }), await !upkeep.reduced(upTo: number),
      upkeep.failure == nil
    {
      do { try await Task.sleep(for: .milliseconds(1)) } catch { return }
    }
  }

  /// Begins to append a batch and returns immediately; the receipt reports the outcome.
  ///
  /// - Throws: `closed`, and `log` with what ``Log/submit(_:durability:)`` throws.
  /// - Precondition: The batch isn't empty.
  public func submit(
    _ batch: Batch, durability: Durability = .full
  ) throws(StoreError) -> Receipt {
    let log = try log
    do throws(LogError) { return try log.submit(batch, durability: durability) } catch {
      throw .log(error)
    }
  }

  /// Begins to append a batch, as ``submit(_:durability:)`` does, and shows it before returning if
  /// everything still pending was submitted this way.
  ///
  /// The batch is then reduced on the calling thread, which also notifies the subscribers. Use this
  /// for a user's actions, on the thread that displays their result, and for small batches that
  /// someone is waiting to see: no other thread has to wake up. Otherwise the batch is shown as
  /// soon as usual; the receipt says when. The caller waits for the reducer, so don't use this for
  /// events that touch very many rows. A relaxed batch may reach the log only some milliseconds
  /// later, together with the next one.
  ///
  /// - Throws: `closed`, and `log` with what ``Log/submit(_:durability:)`` throws.
  /// - Precondition: The batch isn't empty.
  public func submitAndShow(
    _ batch: Batch, durability: Durability = .full
  ) throws(StoreError) -> Receipt {
    try show(batch, durability, isAwaited: false)
  }

  /// Begins to append a batch, and shows it immediately if possible.
  ///
  /// - Parameter isAwaited: Whether the caller will wait until the batch is durable, not only until
  ///   it is shown.
  private func show(
    _ batch: Batch, _ durability: Durability, isAwaited: Bool
  ) throws(StoreError) -> Receipt {
    // Copying the definitions, which aren't needed, would cost more than the rest.
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

  /// Announces, while subscribers are being notified of a batch, that a batch in response is about
  /// to be submitted; see ``Log/expectMore()``.
  package func expectMore() { try? log.expectMore() }

  /// Announces that the expected batch won't follow; see ``Log/expectNothing()``.
  package func expectNothing() { try? log.expectNothing() }

  /// Announces that a caller waits for a batch that was submitted and shown; see ``Log/hurry()``.
  package func hurry() { try? log.hurry() }
}

extension Batch {
  /// The maximum size in bytes of a batch that is shown by the thread that appends it.
  private static let littleBytesMax = 1 << 16

  /// Whether the appending thread shows the batch; a larger one would make all readers wait.
  package var isLittle: Bool {
    count <= Pipeline.inlineMax && byteCount <= Self.littleBytesMax && !isStepwise
  }
}
