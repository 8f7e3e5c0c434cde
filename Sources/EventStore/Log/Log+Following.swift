import LMDB
import Synchronization

extension Log {
  /// Tells a follower of all records from now on, whoever appends them.
  ///
  /// This begins on the log's own thread, before anything appended after this call. The follower is
  /// first told how far the log goes.
  func follow(_ follower: any LogFollower) throws(LogError) {
    self.follower.withLock { $0 = follower }
    writer.post { [weak self] loop in
      loop.follower = follower
      // This process may have appended records while nobody was told.
      follower.committed(upTo: loop.head.last, isDurable: false)
      self?.startWatching()
    }
    follower.committed(upTo: try last, isDurable: false)
  }

  /// Stops telling the follower anything.
  func unfollow() async {
    self.follower.withLock { $0 = nil }
    _ = try? await writer.run { $0.follower = nil }
  }

  /// Soon stops telling the follower anything, for threads that can't wait for that.
  func dropFollower() {
    self.follower.withLock { $0 = nil }
    writer.post { loop in loop.follower = nil }
  }

  /// The place before all existing records.
  var beginning: LogPoint { base.beginning }

  /// Requests a flush of everything that can be read, without waiting for it.
  func askForFlush() {
    writer.post { loop in loop.flushWhatIsRead() }
  }
}
