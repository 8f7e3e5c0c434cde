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

  /// Waits until the server has taken everything that was wanted up to a position, and all that it
  /// had to tell since then is there: what is shown after it is not older than the server was.
  ///
  /// It wants a refresh where none has begun since. What the server refuses counts as taken; what
  /// waits for the person has it wait.
  ///
  /// - Throws: `CancellationError` where the task is cancelled or synchronization ends.
  public func caughtUp(with position: Position) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { answer in
        let isOver = state.withLock { state in
          if !state.isOver, !Task.isCancelled {
            state.waiting.append(CatchUp(id: id, number: position.number, answer: answer))
          }
          return state.isOver || Task.isCancelled
        }
        if isOver { return answer.resume(throwing: CancellationError()) }
        feed.yield(Occurrence(event: .behind(position.number)))
      }
    } onCancel: {
      let waiting = state.withLock { state in
        let place = state.waiting.firstIndex { $0.id == id }
        return place.map { state.waiting.remove(at: $0) }
      }
      waiting?.answer.resume(throwing: CancellationError())
    }
  }

  /// Tells everybody who listens or waits.
  func tell(_ status: SyncStatus, _ standing: SyncStanding) {
    let done = state.withLock { state in
      if status != state.status { state.readers.values.forEach { $0.yield(status) } }
      state.status = status
      let done = state.waiting.filter { standing.covers($0.number) }
      state.waiting.removeAll { standing.covers($0.number) }
      return done
    }
    for waiting in done { waiting.answer.resume() }
  }
}

/// Somebody who waits until the inbox is in step with its server.
struct CatchUp: Sendable {
  let id: Int
  /// The record up to which the server is to have taken everything.
  let number: RecordNumber
  let answer: CheckedContinuation<Void, any Error>
}
