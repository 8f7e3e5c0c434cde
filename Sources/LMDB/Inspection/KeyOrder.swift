/// The order of a tree's keys.
enum KeyOrder {
  /// By bytes, first to last; a prefix comes first.
  case bytes
  /// By bytes, last to first; a suffix comes first.
  case reversed
  /// By value, as native integers of 4 or 8 bytes.
  case integers

  /// The order of a table's keys.
  static func ofKeys(_ flags: TreeDescriptor.Flags) -> Self {
    if flags.contains(.integerKey) { return .integers }
    return flags.contains(.reverseKey) ? .reversed : .bytes
  }

  /// The order of the duplicates in a table that allows them.
  static func ofDuplicates(_ flags: TreeDescriptor.Flags) -> Self {
    if flags.contains(.integerDuplicates) { return .integers }
    return flags.contains(.reverseDuplicates) ? .reversed : .bytes
  }

  /// Whether `key` comes strictly before `other`.
  func precedes(_ key: RawSpan, _ other: RawSpan) -> Bool {
    switch self {
    case .bytes: key.compareBytes(with: other) < 0
    case .reversed: Self.reversedPrecede(key, other)
    case .integers: Self.integerPrecedes(key, other)
    }
  }

  /// Whether keys of this size can be ordered at all.
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
