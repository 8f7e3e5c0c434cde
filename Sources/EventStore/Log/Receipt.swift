import LMDB
import Synchronization

/// The progress of a submitted batch: when it is visible, and when it is durable.
///     let receipt = try store.submit(batch)
///     try await receipt.visible()    // lists show it
///     try await receipt.durable()    // it will be there after a loss of power
public final class Receipt: Sendable {
  private struct State {
    var isVisible = false
    var result: Result<ClosedRange<RecordNumber>, LogError>?
    /// The tasks that wait for the batch to be visible.
    var lookers: [ResumeOnce<Void>] = []
    /// The tasks that wait for the result.
    var keepers: [ResumeOnce<Void>] = []

    var hasFailed: Bool {
      if case .failure? = result { true } else { false }
    }
  }

  private let state = Mutex(State())
  private let count: Int

  init(count: Int) { self.count = count }

  /// Waits until views show the batch or, if nobody keeps views of it, until it is in the log.
  ///
  /// Usually that is before it is durable, or after it if much else is being shown.
  ///
  /// - Throws: As ``durable()``, if the batch did not reach the log, even if it was visible for a
  ///   moment.
  public func visible() async throws(LogError) {
    await answered { answer in
      let isOver = state.withLock { state in
        let isOver = state.isVisible || state.hasFailed
        if !isOver { state.lookers.append(answer) }
        return isOver
      }
      if isOver { answer.resume(()) }
    }
    if case .failure(let error)? = state.withLock({ $0.result }) { throw error }
  }

  /// Waits until the batch is as durable as requested.
  ///
  /// - Returns: The numbers of the records.
  /// - Throws: As ``Log/append(_:durability:)``.
  @discardableResult
  public func durable() async throws(LogError) -> ClosedRange<RecordNumber> {
    await answered { answer in
      let isOver = state.withLock { state in
        if state.result == nil { state.keepers.append(answer) }
        return state.result != nil
      }
      if isOver { answer.resume(()) }
    }
    guard let result = state.withLock({ $0.result }) else {
      preconditionFailure("a wait ended without a result")
    }
    return try result.get()
  }

  /// Notes that views show the batch.
  func becameVisible() {
    let woken = state.withLock { state in
      state.isVisible = true
      defer { state.lookers = [] }
      return state.lookers
    }
    woken.forEach { $0.resume(()) }
  }

  /// Notes the number of the first record, or the error.
  func resume(_ first: Result<RecordNumber, LogError>) {
    let woken = state.withLock { state in
      state.result = first.map { $0...$0.advanced(by: count - 1) }
      var woken = state.keepers
      state.keepers = []
      if state.hasFailed {
        woken += state.lookers
        state.lookers = []
      }
      return woken
    }
    woken.forEach { $0.resume(()) }
  }
}
