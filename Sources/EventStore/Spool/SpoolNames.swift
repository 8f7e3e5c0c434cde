/// The names of a spool's files, in the order in which they are to be drained.
///
/// A name is the moment of the event, then digits, then a suffix. The digits are random at first
/// and count on from name to name, so that events of one moment keep their order.
struct SpoolNames: Sendable {
  /// What the name of an event's file ends with.
  static let finished = ".event"
  /// What is put behind the name of a file that is being written.
  static let unfinished = ".part"
  /// What is put behind the name of a file that is not an event, or is damaged.
  static let refused = ".refused"

  /// The digits of the next name.
  private var digits: UInt64

  init(random: any RandomNumberGenerator & Sendable) {
    var random = random
    digits = random.next() as UInt64 >> 1
  }

  /// The name of a further file.
  mutating func next(at moment: Timestamp) -> String {
    defer { digits &+= 1 }
    // Moments before 1970 are negative: with the sign turned over, all sort as they follow.
    let place = UInt64(bitPattern: moment.rawValue) ^ 1 << 63
    return "\(place.hexadecimal)-\(digits.hexadecimal)\(Self.finished)"
  }
}
