import EventStore

/// Decides when a server is let tell by itself what changes in a stream: whenever all is there that
/// it had, the app is in use, and it can.
struct FollowPlan {
  private(set) var isFollowing = false
  /// Whether the server can do it, as far as is known.
  private(set) var isPossible: Bool
  /// The last record that there was when it began.
  private(set) var since = RecordNumber.zero
  /// How often it ended without having told anything.
  private(set) var failures = 0

  init(isPossible: Bool) { self.isPossible = isPossible }

  /// Notes that it begins, behind a record.
  mutating func begin(behind number: RecordNumber) { (isFollowing, since) = (true, number) }

  /// Notes that something was told.
  mutating func told() { failures = 0 }

  /// Notes that it ended, for ever where the server can't do it.
  mutating func end(because reason: ServerFailure.Reason? = nil) {
    isFollowing = false
    failures += 1
    if reason == .unsupported || reason == .notFound { isPossible = false }
  }
}
