import EventStore

/// The work in progress of a synchronization, all of which ends together.
struct SyncWork {
  /// A stream being followed.
  struct Following: Sendable {
    let task: Task<Void, Never>
    /// Requests the next report of the stream.
    let goOn: AsyncStream<Void>.Continuation
  }

  /// Waits for the next wake-up time.
  var sleep: Task<Void, Never>?
  /// The questions, requests and other tasks, by id.
  var tasks: [Int: Task<Void, Never>] = [:]
  /// The streams being followed, by the stream's index.
  var follows: [Int: Following] = [:]
  /// The right to synchronize, while this object has it.
  var lease: Lease?
  /// Stops waiting for that right, while another has it.
  var endWatch: (@Sendable () -> Void)?

  /// Ends all of it.
  func end() {
    lease?.release()
    endWatch?()
    sleep?.cancel()
    tasks.values.forEach { $0.cancel() }
    follows.values.forEach { $0.task.cancel() }
  }
}
