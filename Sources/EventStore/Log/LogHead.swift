import LMDB

/// The end of the log as this process knows it, and the tasks that wait for it to advance.
package final class LogHead: Sendable {
  private struct State {
    var transaction: UInt64 = 0
    var last = RecordNumber.zero
    var durable = RecordNumber.zero
    var isClosed = false
    var isWriting = false
    var hasWritten = false
    var waiters: [UInt64: Waiter] = [:]
    var nextWaiter: UInt64 = 0
  }

  private struct Waiter {
    let number: RecordNumber
    let continuation: CheckedContinuation<Void, Never>
  }

  private let state = Monitor(State())

  /// Creates the end of a log about which nothing is known.
  package init() {}

  /// The last record that can be read.
  package var last: RecordNumber { state.withLock { $0.last } }

  /// The last record that this process knows to be flushed.
  package var durable: RecordNumber { state.withLock { $0.durable } }

  /// Whether the log was closed.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Returns the last record as of a transaction, if it was already seen.
  func last(asOf transaction: UInt64) -> RecordNumber? {
    state.withLock { $0.transaction == transaction ? $0.last : nil }
  }

  /// Notes what a transaction saw, and wakes those who waited for it.
  func saw(_ last: RecordNumber, in transaction: UInt64, durable: Bool = false) {
    let woken = state.withLock { state -> [Waiter] in
      if transaction >= state.transaction {
        state.transaction = transaction
        state.last = last
      }
      if durable { state.durable = max(state.durable, last) }
      return Self.takeWaiters(&state) { $0.number < last }
    }
    woken.forEach { $0.continuation.resume() }
  }

  /// Runs `body`, during which this process writes to the file.
  package func writing<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    state.withLock { $0.isWriting = true }
    defer { state.withLock { ($0.isWriting, $0.hasWritten) = (false, true) } }
    return try body()
  }

  /// Returns whether this process is writing, or a write has ended since the last call.
  package func takeActivity() -> Bool {
    state.withLock { state in
      defer { state.hasWritten = false }
      return state.isWriting || state.hasWritten
    }
  }

  /// Notes that everything up to a record is flushed.
  func madeDurable(_ number: RecordNumber) {
    state.withLock { $0.durable = max($0.durable, number) }
  }

  /// Ends every wait, now and later.
  func close() {
    let woken = state.withLock { state -> [Waiter] in
      state.isClosed = true
      return Self.takeWaiters(&state) { _ in true }
    }
    woken.forEach { $0.continuation.resume() }
  }

  /// Waits for a record after `number`, or until the log is closed or the task cancelled.
  func wait(beyond number: RecordNumber) async {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.last > number || state.isClosed || Task.isCancelled { return true }
          state.waiters[id] = Waiter(number: number, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
    }
  }

  /// The number of waiting tasks.
  package var waiterCount: Int { state.withLock { $0.waiters.count } }

  private static func takeWaiters(
    _ state: inout State, where isOver: (Waiter) -> Bool
  ) -> [Waiter] {
    guard !state.waiters.isEmpty else { return [] }
    let over = state.waiters.filter { isOver($0.value) }
    for id in over.keys { state.waiters[id] = nil }
    return Array(over.values)
  }
}
