import LMDB

/// What is known of a batch on its way: when it is visible, and when it is durable.
///
///     let receipt = try store.submit(batch)
///     try await receipt.visible()    // lists show it
///     try await receipt.durable()    // it will be there after a loss of power
public final class Receipt: Sendable {
  private struct State {
    var isVisible = false
    var result: Result<ClosedRange<RecordNumber>, LogError>?
    var awaitingVisible: [Answer<Void>] = []
    var awaitingResult: [Answer<Void>] = []
    var awaitingShown: [Answer<Void>] = []
  }

  private let state = Monitor(State())
  private let count: Int

  init(count: Int) { self.count = count }

  /// Returns once views show the batch, or it is as durable as was asked for, whichever is sooner.
  ///
  /// - Throws: As ``durable()``, where it did not get so far.
  public func visible() async throws(LogError) {
    await wait { state in
      guard !state.isVisible, state.result == nil else { return nil }
      return \.awaitingVisible
    }
    if case .failure(let error)? = state.withLock({ $0.isVisible ? nil : $0.result }) {
      throw error
    }
  }

  /// Returns once the batch is as durable as was asked for.
  ///
  /// - Returns: The numbers of the records.
  /// - Throws: As ``Log/append(_:durability:)``.
  @discardableResult
  public func durable() async throws(LogError) -> ClosedRange<RecordNumber> {
    await wait { state in state.result == nil ? \.awaitingResult : nil }
    guard let result = state.withLock({ $0.result }) else {
      preconditionFailure("a wait ended without a result")
    }
    return try result.get()
  }

  /// Returns once views show the batch, however long after it is durable.
  func shown() async {
    await wait { state in
      if case .failure? = state.result { return nil }
      return state.isVisible ? nil : \.awaitingShown
    }
  }

  /// Notes that views show the batch.
  func becameVisible() {
    let woken = state.withLock { state in
      state.isVisible = true
      defer { (state.awaitingVisible, state.awaitingShown) = ([], []) }
      return state.awaitingVisible + state.awaitingShown
    }
    woken.forEach { $0.resume(()) }
  }

  /// Notes the number of the first record, or why there is none.
  func resume(_ first: Result<RecordNumber, LogError>) {
    let woken = state.withLock { state in
      state.result = first.map { $0...$0.advanced(by: count - 1) }
      var woken = state.awaitingVisible + state.awaitingResult
      (state.awaitingVisible, state.awaitingResult) = ([], [])
      if case .failure = first {
        woken += state.awaitingShown
        state.awaitingShown = []
      }
      return woken
    }
    woken.forEach { $0.resume(()) }
  }

  /// Waits in the line that `line` names; not at all where it names none.
  private func wait(
    _ line: @Sendable (State) -> WritableKeyPath<State, [Answer<Void>]>?
  ) async {
    await answered { answer in
      let waits = state.withLock { state in
        guard let line = line(state) else { return false }
        state[keyPath: line].append(answer)
        return true
      }
      if !waits { answer.resume(()) }
    }
  }
}

extension Log {
  /// Begins to append a batch, and returns at once: what becomes of it the receipt says.
  ///
  /// - Throws: `tooLarge`, `readOnly`, `closed`.
  public func submit(
    _ batch: Batch, durability: Durability = .full
  ) throws(LogError) -> Receipt {
    precondition(!batch.isEmpty, "an empty batch has no numbers")
    try checkLimits(batch)
    let receipt = Receipt(count: batch.count)
    guard writer.submit(LogWriter.Append(batch: batch, reply: .receipt(receipt)), durability) else {
      throw .closed(path: path)
    }
    return receipt
  }
}

extension Store {
  /// Begins to append a batch, and returns at once: what becomes of it the receipt says.
  ///
  /// - Throws: As ``Log/submit(_:durability:)``.
  public func submit(
    _ batch: Batch, durability: Durability = .full
  ) throws(StoreError) -> Receipt {
    let log = try log
    do throws(LogError) { return try log.submit(batch, durability: durability) } catch {
      throw .log(error)
    }
  }
}
