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
    var lookers: [ResumeOnce<LogError?>] = []
    /// The tasks that wait for the result.
    var keepers: [ResumeOnce<Void>] = []

    /// Why the batch did not reach the log, if it didn't.
    var failure: LogError? {
      if case .failure(let error)? = result { error } else { nil }
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
    let failure: LogError? = await answered { answer in
      let known: LogError?? = state.withLock { state in
        if let failure = state.failure { return .some(failure) }
        if state.isVisible { return .some(nil) }
        state.lookers.append(answer)
        return nil
      }
      if let known { answer.resume(known) }
    }
    if let failure { throw failure }
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

  /// Notes that views show the batch, unless it was lost.
  func becameVisible() {
    let woken: [ResumeOnce<LogError?>] = state.withLock { state in
      guard state.failure == nil else { return [] }
      state.isVisible = true
      defer { state.lookers = [] }
      return state.lookers
    }
    woken.forEach { $0.resume(nil) }
  }

  /// Notes the number of the first record, or the error.
  func resume(_ first: Result<RecordNumber, LogError>) {
    let (keepers, lookers) = state.withLock { state in
      state.result = first.map { $0...$0.advanced(by: count - 1) }
      // Who waits for it to be visible goes on waiting, unless it is lost.
      let lookers = state.failure == nil ? [] : state.lookers
      defer { (state.keepers, state.lookers) = ([], lookers.isEmpty ? state.lookers : []) }
      return (state.keepers, lookers)
    }
    keepers.forEach { $0.resume(()) }
    if case .failure(let error) = first { lookers.forEach { $0.resume(error) } }
  }
}
