public import EventStore
import Synchronization
import Tideline

/// The synchronization status.
extension Sync {
  /// The current synchronization status.
  public var status: SyncStatus { state.withLock { $0.board.status } }

  /// The synchronization status now and after each change.
  ///
  /// Of the values not yet consumed, only the latest is kept. Any number of callers may listen.
  public var statuses: some AsyncSequence<SyncStatus, Never> & Sendable {
    let (stream, reader) = AsyncStream<SyncStatus>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> Int? in
      guard !state.isOver else { return nil }
      state.lastID += 1
      state.board.add(reader, as: state.lastID)
      return state.lastID
    }
    guard let id else {
      reader.yield(SyncStatus())
      reader.finish()
      return stream
    }
    reader.onTermination = { [weak self] _ in
      self?.state.withLock { $0.board.remove(id) }
    }
    return stream
  }

  /// Waits for a synchronization status that meets a condition.
  ///
  /// - Throws: `CancellationError` if synchronization ends first or the task is cancelled.
  @discardableResult
  package func status(where isSo: (SyncStatus) throws -> Bool) async throws -> SyncStatus {
    for await status in statuses { if try isSo(status) { return status } }
    throw CancellationError()
  }

  /// Waits until the server has accepted all operations up to a position, and everything that it
  /// had to report since is here.
  ///
  /// What is shown afterwards is at least as new as the server's state at that position. The method
  /// requests a refresh if none has begun since. Rejected operations count as accepted. Operations
  /// that wait for the person, a suspended store, or another `Sync` that serves the login, prolong
  /// the wait. For a position that the log does not hold, such as one whose records a full disk has
  /// lost, the present one is waited for.
  ///
  /// After a logout with `Inbox.Pending.flush(within:)`, it waits only until the server has
  /// accepted the operations.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, synchronization ends, or nothing is
  ///   kept in step because nobody is logged in any more, the time for flushing is over, or the
  ///   person does not allow the use of their data.
  public func caughtUp(with position: Position) async throws {
    let id = newID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { answer in
        let isOver = state.withLock { state in
          // A cancellation after this finds the waiting caller.
          guard !state.isOver, !state.isOff, !Task.isCancelled else { return true }
          state.waiting.append(CatchUp(id: id, position: position, answer: answer))
          return false
        }
        if isOver { return answer.resume(throwing: CancellationError()) }
        hint { $0.hints.wait(for: position.number) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        let place = state.waiting.firstIndex { $0.id == id }
        return place.map { state.waiting.remove(at: $0) }
      }
      waiting?.answer.resume(throwing: CancellationError())
    }
  }

  /// Reports an obstacle to all listeners.
  func tell(_ obstacle: SyncStatus.Obstacle) { state.withLock { $0.board.tell(obstacle) } }

  /// Reports a status to all listeners.
  func tell(_ status: SyncStatus) {
    state.withLock { state in
      state.pauses = 0
      state.board.tell(status)
    }
  }

  /// Resumes callers, given what is recorded and visible.
  func tell(_ standing: SyncStanding) {
    replaceLostPositions(asOf: standing)
    let (done, isOff) = state.withLock { state in
      let isDone = { standing.isOff || standing.covers($0.position.number) } as (CatchUp) -> Bool
      let done = state.waiting.filter(isDone)
      state.waiting.removeAll(where: isDone)
      return (done, standing.isOff)
    }
    for waiting in done {
      if isOff {
        waiting.answer.resume(throwing: CancellationError())
      } else {
        waiting.answer.resume()
      }
    }
    state.withLock { $0.askers.tell(standing) }()
  }

  /// Lets callers whose position was lost wait for the present one: the number of theirs goes to
  /// another record, perhaps much later.
  ///
  /// After a setback, the refreshes that were enough for the others may be enough no more.
  private func replaceLostPositions(asOf standing: SyncStanding) {
    let (suspects, isSetBack) = state.withLock { state in
      let isSetBack = state.setbacks != standing.setbacks
      state.setbacks = standing.setbacks
      return (state.waiting.filter { isSetBack || $0.position.number > standing.last }, isSetBack)
    }
    let core = inbox.store.core
    // This comes later than all their positions, which may not be in the log yet.
    guard !suspects.isEmpty, let present = try? core.read({ $0.position }), let log = try? core.log
    else { return }
    let lost = suspects.filter { caller in
      guard isSetBack || caller.position.number > present.number else { return false }
      return (try? log.holds(caller.position)) == false
    }
    guard isSetBack || !lost.isEmpty else { return }
    let ids = Set(lost.map(\.id))
    hint { state in
      for place in state.waiting.indices where ids.contains(state.waiting[place].id) {
        state.waiting[place].position = present
      }
      let last = state.waiting.map(\.position.number).max()
      if let last { state.hints.wait(for: last) }
    }
  }
}

/// Upload progress.
extension Sync {
  /// Notes that a request is being sent, if it uploads a file.
  func beginUpload(_ request: ServerRequest, _ id: Int) {
    guard let file = request.parts.first(where: \.isUpload) else { return }
    state.withLock { $0.board.tell(SyncStatus.Upload(id: file.id), of: id) }
  }

  /// Notes the number of bytes sent by a request in progress.
  func noteUpload(_ id: Int, sent: Int64, of total: Int64) {
    state.withLock { state in
      guard let old = state.board.uploads[id] else { return }
      var upload = old
      (upload.sent, upload.total) = (min(max(sent, 0), max(total, 0)), max(total, 0))
      guard upload.total != old.total || upload.hundredths != old.hundredths else { return }
      state.board.tell(upload, of: id)
    }
  }

  /// Notes that a request has ended.
  func endUpload(_ id: Int) {
    state.withLock { if $0.board.uploads[id] != nil { $0.board.tell(nil, of: id) } }
  }
}

extension SyncStatus.Upload {
  /// The percentage sent.
  fileprivate var hundredths: Int { Int(fraction * 100) }
}

extension ServerRequest.Part {
  /// Whether the part uploads a file.
  fileprivate var isUpload: Bool { if case .file = wanted { true } else { false } }
}

/// A caller that waits until the inbox is in step with its server.
struct CatchUp: Sendable {
  let id: Int
  /// The position up to which the server must have accepted everything.
  var position: Position
  let answer: CheckedContinuation<Void, any Error>
}
