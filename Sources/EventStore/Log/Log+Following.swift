import LMDB
import Synchronization

extension Log {
  /// Tells a follower of all records from now on, whoever appends them; returns the last that it is
  /// not told of.
  func follow(_ follower: any LogFollower) async throws(LogError) -> RecordNumber {
    try await writer.run { loop in loop.follower = follower }
    self.follower.withLock { $0 = follower }
    startWatching()
    return try last
  }

  /// Tells the follower nothing any more.
  func unfollow() async {
    self.follower.withLock { $0 = nil }
    _ = try? await writer.run { $0.follower = nil }
  }

  /// Where the log begins: the last record that is not there, and the chain at it.
  var beginning: Applied { Applied(number: base.number, chain: base.chain.value) }

  /// Has everything that can be read put on the medium, without waiting for it.
  func askForFlush() {
    writer.post { loop in loop.flushWhatIsRead() }
  }

  /// Takes the word out that the views are on the medium, and returns when that is durable.
  ///
  /// It blocks: for a thread of its own.
  func takeOutStamp() throws(LogError) {
    let done = Monitor<Result<Void, LogError>?>(nil)
    writer.post { loop in
      let result = Result { () throws(LogError) in try loop.setStamp(nil) }
      done.withLock { $0 = result }
      done.notify()
    }
    while true {
      let result = done.withLock(until: .now + .seconds(1), when: { $0 != nil }) { $0 } ?? nil
      if let result { return try result.get() }
      if head.isClosed { throw .closed(path: path) }
    }
  }
}
