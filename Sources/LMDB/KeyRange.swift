/// The keys that a cursor visits: all, those between two bounds, or those with a prefix.
public struct KeyRange<Key: TableElement>: Sendable {
  let lower: [UInt8]?
  let upper: [UInt8]?
  let includesUpper: Bool

  init(lower: [UInt8]?, upper: [UInt8]?, includesUpper: Bool) {
    self.lower = lower.flatMap { $0.isEmpty ? nil : $0 }
    self.upper = upper
    self.includesUpper = includesUpper
  }

  /// Every key.
  public static var all: KeyRange { KeyRange(lower: nil, upper: nil, includesUpper: false) }

  /// The key and all after it.
  public static func from(_ key: Key) -> KeyRange {
    KeyRange(lower: encoded(key), upper: nil, includesUpper: false)
  }

  /// All keys before `key`.
  public static func before(_ key: Key) -> KeyRange {
    KeyRange(lower: nil, upper: encoded(key), includesUpper: false)
  }

  /// The keys from `first` on and before `end`.
  public static func from(_ first: Key, before end: Key) -> KeyRange {
    KeyRange(lower: encoded(first), upper: encoded(end), includesUpper: false)
  }

  /// The keys from `first` through `last`.
  public static func through(_ first: Key, _ last: Key) -> KeyRange {
    KeyRange(lower: encoded(first), upper: encoded(last), includesUpper: true)
  }

  private static func encoded(_ key: Key) -> [UInt8] { key.withBytes { $0.array } }
}

extension KeyRange where Key == String {
  /// Every key that begins with `text`.
  public static func prefix(_ text: String) -> KeyRange { prefix(bytes: Array(text.utf8)) }
}

extension KeyRange where Key == [UInt8] {
  /// Every key that begins with `bytes`.
  public static func prefix(_ bytes: [UInt8]) -> KeyRange { prefix(bytes: bytes) }
}

extension KeyRange {
  /// The keys from `bytes` up to the first that doesn't begin with them.
  private static func prefix(bytes: [UInt8]) -> KeyRange {
    var end = bytes
    while end.last == 0xFF { end.removeLast() }
    if let last = end.last { end[end.count - 1] = last + 1 }
    return KeyRange(lower: bytes, upper: end.isEmpty ? nil : end, includesUpper: false)
  }
}
