public import EventStore
import Synchronization

/// How far the inbox is in step.
extension Sync {
  /// How far the inbox is in step.
  public var status: SyncStatus { state.withLock { $0.status } }

  /// How far the inbox is in step: now, and each time that it is another.
  ///
  /// Of those that were not taken yet there is only the last. Any number may listen.
  public func statuses() -> some AsyncSequence<SyncStatus, Never> & Sendable {
    let (stream, reader) = AsyncStream<SyncStatus>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> Int? in
      reader.yield(state.status)
      guard !state.isOver else { return nil }
      state.lastID += 1
      state.readers[state.lastID] = reader
      return state.lastID
    }
    guard let id else {
      reader.finish()
      return stream
    }
    reader.onTermination = { [weak self] _ in
      self?.state.withLock { $0.readers[id] = nil }
    }
    return stream
  }

  /// How far the inbox is in step, once something is so of it.
  ///
  /// - Throws: `CancellationError` where synchronization ends before, or the task is cancelled.
  @discardableResult
  package func status(where isSo: (SyncStatus) throws -> Bool) async throws -> SyncStatus {
    for await status in statuses() { if try isSo(status) { return status } }
    throw CancellationError()
  }

  /// Waits until the server has taken everything that was wanted up to a position, and all that it
  /// had to tell since then is there: what is shown after it is not older than the server was.
  ///
  /// It wants a refresh where none has begun since. What the server refuses counts as taken; what
  /// waits for the person has it wait, and so does a store that is suspended.
  ///
  /// - Throws: `CancellationError` where the task is cancelled, synchronization ends, or nothing is
  ///   kept in step: nobody is logged in any more, or the person does not let their data be used.
  public func caughtUp(with position: Position) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { answer in
        let isOver = state.withLock { state in
          // Whoever cancels it behind this finds who waits.
          guard !state.isOver, !state.isOff, !Task.isCancelled else { return true }
          state.waiting.append(CatchUp(id: id, number: position.number, answer: answer))
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

  /// Tells everybody who listens why nothing goes on.
  func tell(_ obstacle: SyncStatus.Obstacle) {
    state.withLock { state in
      var status = state.status
      (status.isRefreshing, status.isLive, status.obstacle) = (false, false, obstacle)
      state.tell(status)
    }
  }

  /// Tells everybody who listens.
  func tell(_ status: SyncStatus) {
    state.withLock { state in
      state.pauses = 0
      state.tell(status)
    }
  }

  /// Tells who waits, by what stands now and is shown.
  func tell(_ standing: SyncStanding) {
    let (done, isOff) = state.withLock { state in
      let isDone = { standing.isOff || standing.covers($0.number) } as (CatchUp) -> Bool
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
}

/// How far uploads have come.
extension Sync {
  /// Notes that a request is on its way, if it uploads a file.
  func beginUpload(_ request: ServerRequest, _ id: Int) {
    guard let file = request.parts.first(where: \.isUpload) else { return }
    state.withLock { $0.tell(SyncStatus.Upload(id: file.id), of: id) }
  }

  /// Notes how many bytes were sent by a request that is on its way.
  func noteUpload(_ id: Int, sent: Int64, of total: Int64) {
    state.withLock { state in
      guard let old = state.uploads[id] else { return }
      var upload = old
      (upload.sent, upload.total) = (min(max(sent, 0), max(total, 0)), max(total, 0))
      guard upload.total != old.total || upload.hundredths != old.hundredths else { return }
      state.tell(upload, of: id)
    }
  }

  /// Notes that a request has come to an end.
  func endUpload(_ id: Int) {
    state.withLock { if $0.uploads[id] != nil { $0.tell(nil, of: id) } }
  }
}

extension Sync.State {
  /// Tells everybody who listens.
  fileprivate mutating func tell(_ status: SyncStatus) {
    var status = status
    status.uploads = uploads.sorted { $0.key < $1.key }.map(\.value)
    if status != self.status { readers.values.forEach { $0.yield(status) } }
    self.status = status
  }

  /// Tells everybody who listens how far a request has come that uploads a file.
  fileprivate mutating func tell(_ upload: SyncStatus.Upload?, of id: Int) {
    uploads[id] = upload
    tell(status)
  }
}

extension SyncStatus.Upload {
  /// How many hundredths of it were sent.
  fileprivate var hundredths: Int { Int(fraction * 100) }
}

extension ServerRequest.Part {
  /// Whether a file goes with it.
  fileprivate var isUpload: Bool { if case .file = wanted { true } else { false } }
}

/// Somebody who waits until the inbox is in step with its server.
struct CatchUp: Sendable {
  let id: Int
  /// The record up to which the server is to have taken everything.
  let number: RecordNumber
  let answer: CheckedContinuation<Void, any Error>
}
