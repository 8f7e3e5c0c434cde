import EventStore
import Tideline

/// News that the server sends by itself.
extension SyncMachine {
  /// Follows streams after a refresh that brought everything.
  mutating func beginFollowing(_ snapshot: borrowing StoreSnapshot, _ now: Timestamp) {
    guard refresh.isForeground, session.isOnline else { return }
    for place in pulls.indices
    where keepsUp(place) && follows[place].isPossible && !follows[place].isFollowing {
      guard let cursor = pulls[place].cursor else { continue }
      follows[place].begin(after: snapshot.position.number, at: now)
      actions.append(.follow(place, stream: pulls[place].stream.name, since: cursor))
    }
  }

  /// Stops following streams, because they are being asked for or nobody is looking.
  ///
  /// - Parameter isOver: Selects streams by their places.
  mutating func endFollowing(_ now: Timestamp, of isOver: (Int) -> Bool = { _ in true }) {
    for place in follows.indices where follows[place].isFollowing && isOver(place) {
      follows[place].end(at: now)
      follows[place].told()
      actions.append(.unfollow(place))
    }
  }

  /// Handles what a stream reported, or its failure.
  mutating func take(
    _ place: Int, _ result: Result<Answer, ServerFailure>, _ now: Timestamp
  ) {
    guard follows.indices.contains(place), follows[place].isFollowing else { return }
    switch result.taken {
    case .success(let answer):
      noteAnswer()
      // A server that only ever says what can't be read is not asked again and again.
      if answer.isNews(after: pulls[place].cursor) { follows[place].told() }
      take(answer, place)
    case .failure(let failure):
      note(failure, now)
      unfollowed(place, now, because: failure)
    }
  }

  private mutating func take(_ answer: Answer, _ place: Int) {
    let stream = pulls[place].stream
    let question = Question.changes(
      stream: stream.name, since: pulls[place].cursor ?? "", limit: stream.pageMax)
    var delivery = Delivery(answer, to: question, askedAfter: follows[place].since)
    if let cursor = answer.cursor {
      pulls[place].moved(to: cursor)
      delivery.setCursor(cursor, of: stream.name, isAtEnd: true)
    }
    takeIn(delivery)
  }

  /// Notes that a stream is no longer followed; after a wait it is asked for and followed again.
  mutating func unfollowed(
    _ place: Int, _ now: Timestamp, because failure: ServerFailure? = nil
  ) {
    guard follows.indices.contains(place), follows[place].isFollowing else { return }
    follows[place].end(at: now, because: failure)
    let wait = backoff.wait(after: follows[place].failures, atLeast: nil, draw: draw())
    refresh.tryAgain(at: now.advanced(by: wait), from: now)
  }
}

extension Answer {
  /// Whether a stream reported anything beyond a cursor that is known.
  fileprivate func isNews(after known: String?) -> Bool {
    cursor.map { $0 != known } ?? !facts.isEmpty
  }
}
