import EventStore

/// Decides when to follow a stream: once all of the server's data is here, the app is in use, and
/// the server supports it.
struct FollowPlan {
  private(set) var isFollowing = false
  /// Whether the server supports following, as far as it says.
  private var isSupported: Bool
  /// The last record when following began.
  private(set) var since = RecordNumber.zero
  /// The number of times that following soon ended without news.
  private(set) var failures = 0
  private var beganAt = Timestamp(rawValue: 0)
  /// The number of failures after which the wait stops growing.
  private static let failuresMax = 5
  /// The number of consecutive answers that there is nothing to follow.
  private var missings = 0
  /// The number of such answers after which nothing is followed until there is a reason to try
  /// again.
  ///
  /// A proxy may answer so in the server's place, as may a server that is being replaced.
  private static let missingsMax = 8
  /// The codes of answers that there is nothing to follow, or not with the tokens that the server
  /// takes elsewhere.
  private static let missing: Set<Int64> = [401, 403, 404, 405, 410, 501]
  /// The duration, in milliseconds, from which following does not count as ended soon.
  private static let lasting: Int64 = 10_000

  init(isPossible: Bool) { isSupported = isPossible }

  /// Whether following may succeed now.
  var isPossible: Bool { isSupported && missings < Self.missingsMax }

  /// Ends all waits, since the surroundings have changed.
  mutating func restart() { missings = 0 }

  /// Notes that following begins after a record.
  mutating func begin(after number: RecordNumber, at now: Timestamp) {
    (isFollowing, since, beganAt) = (true, number, now)
  }

  /// Notes that only the records up to a number stayed.
  mutating func setBack(to floor: RecordNumber) { since = min(since, floor) }

  /// Notes that news arrived.
  mutating func told() { failures = 0 }

  /// Notes that following ended, permanently if the server does not support it.
  mutating func end(at now: Timestamp, because failure: ServerFailure? = nil) {
    isFollowing = false
    let hasLasted = now.milliseconds(since: beganAt) >= Self.lasting
    failures = hasLasted ? 1 : min(failures + 1, Self.failuresMax)
    let isMissing = failure?.status.map(Self.missing.contains) == true
    missings = isMissing ? missings + 1 : 0
    if failure?.reason == .unsupported || failure?.reason == .notFound { isSupported = false }
  }
}
