import LMDB
import Synchronization

extension Log {
  /// Tells a follower of all records from now on, whoever appends them.
  ///
  /// It begins on the log's own thread, before whatever is appended behind this call; first the
  /// follower is told how far the log goes.
  func follow(_ follower: any LogFollower) throws(LogError) {
    self.follower.withLock { $0 = follower }
    writer.post { [weak self] loop in
      loop.follower = follower
      // What this process appended while nobody was told of it.
      follower.committed(upTo: loop.head.last, isDurable: false)
      self?.startWatching()
    }
    follower.committed(upTo: try last, isDurable: false)
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

  /// The place before all records that there are.
  var beginning: Applied { base.beginning }

  /// Has everything that can be read put on the medium, without waiting for it.
  func askForFlush() {
    writer.post { loop in loop.flushWhatIsRead() }
  }
}
