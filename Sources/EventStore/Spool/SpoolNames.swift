/// The names of a spool's files, in the order in which they are drained.
///
/// A name consists of the event's timestamp, digits, and a suffix. The digits start at random and
/// increment from name to name, so that events with the same timestamp keep their order.
struct SpoolNames: Sendable {
  /// The suffix of an event file.
  static let finished = ".event"
  /// The suffix that is added to the name of a file that is being written.
  static let unfinished = ".part"
  /// The suffix that is added to the name of a file that is damaged or not an event.
  static let refused = ".refused"

  /// The digits of the next name.
  private var digits: UInt64

  init(random: any RandomNumberGenerator & Sendable) {
    var random = random
    digits = random.next() as UInt64 >> 1
  }

  /// Returns the name of the next file.
  mutating func next(at moment: Timestamp) -> String {
    defer { digits &+= 1 }
    // Timestamps before 1970 are negative: flipping the sign bit makes all names sort by time.
    let place = UInt64(bitPattern: moment.rawValue) ^ 1 << 63
    return "\(place.hexadecimal)-\(digits.hexadecimal)\(Self.finished)"
  }
}
