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

  /// Tells the follower nothing any more, soon; for threads, which can't wait for that.
  func dropFollower() {
    self.follower.withLock { $0 = nil }
    writer.post { loop in loop.follower = nil }
  }

  /// Where the log begins: the last record that is not there, and the chain at it.
  var beginning: Applied { Applied(number: base.number, chain: base.chain.value) }

  /// Has everything that can be read put on the medium, without waiting for it.
  func askForFlush() {
    writer.post { loop in loop.flushWhatIsRead() }
  }
}
