/// How the keys of a tree are ordered.
enum KeyOrder {
  /// As bytes from the first on; of two that agree, the shorter first.
  case bytes
  /// As bytes from the last on; of two that agree, the shorter first.
  case reversed
  /// As native integers of 4 or 8 bytes.
  case integers

  /// The order of a table's keys.
  static func ofKeys(_ flags: TreeDescriptor.Flags) -> Self {
    if flags.contains(.integerKey) { return .integers }
    return flags.contains(.reverseKey) ? .reversed : .bytes
  }

  /// The order of a table's duplicates, which must be one that has them.
  static func ofDuplicates(_ flags: TreeDescriptor.Flags) -> Self {
    if flags.contains(.integerDuplicates) { return .integers }
    return flags.contains(.reverseDuplicates) ? .reversed : .bytes
  }

  /// Whether `key` comes before `other`, and they aren't equal.
  func precedes(_ key: RawSpan, _ other: RawSpan) -> Bool {
    switch self {
    case .bytes: key.compareBytes(with: other) < 0
    case .reversed: Self.reversedPrecede(key, other)
    case .integers: Self.integerPrecedes(key, other)
    }
  }

  /// Whether a key of this size can be ordered at all.
  func admits(size: Int) -> Bool { self != .integers || size == 4 || size == 8 }

  private static func reversedPrecede(_ key: RawSpan, _ other: RawSpan) -> Bool {
    for back in 0..<min(key.byteCount, other.byteCount) {
      let mine = key.byte(at: key.byteCount - 1 - back)
      let theirs = other.byte(at: other.byteCount - 1 - back)
      if mine != theirs { return mine < theirs }
    }
    return key.byteCount < other.byteCount
  }

  private static func integerPrecedes(_ key: RawSpan, _ other: RawSpan) -> Bool {
    switch (key.byteCount, other.byteCount) {
    case (8, 8): key.integer(UInt64.self, at: 0) < other.integer(UInt64.self, at: 0)
    case (4, 4): key.integer(UInt32.self, at: 0) < other.integer(UInt32.self, at: 0)
    default: false
    }
  }
}
