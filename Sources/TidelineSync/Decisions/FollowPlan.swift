import EventStore

/// Decides when a server is let tell by itself what changes in a stream: whenever all is there that
/// it had, the app is in use, and it can.
struct FollowPlan {
  private(set) var isFollowing = false
  /// Whether the server can do it, as far as is known.
  private(set) var isPossible: Bool
  /// The last record that there was when it began.
  private(set) var since = RecordNumber.zero
  /// How often it ended soon, without having told anything.
  private(set) var failures = 0
  private var beganAt = Timestamp(rawValue: 0)
  /// Behind how many it isn't waited longer any more.
  private static let failuresMax = 5
  /// How long one lasts that does not end soon, in milliseconds.
  private static let lasting: Int64 = 10_000

  init(isPossible: Bool) { self.isPossible = isPossible }

  /// Notes that it begins, behind a record.
  mutating func begin(behind number: RecordNumber, at now: Timestamp) {
    (isFollowing, since, beganAt) = (true, number, now)
  }

  /// Notes that something was told.
  mutating func told() { failures = 0 }

  /// Notes that it ended, for ever where the server can't do it.
  mutating func end(at now: Timestamp, because reason: ServerFailure.Reason? = nil) {
    isFollowing = false
    let hasLasted = now.rawValue - beganAt.rawValue >= Self.lasting
    failures = hasLasted ? 1 : min(failures + 1, Self.failuresMax)
    if reason == .unsupported || reason == .notFound { isPossible = false }
  }
}
