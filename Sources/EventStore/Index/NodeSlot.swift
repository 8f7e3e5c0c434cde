/// What is known of a node beside its bytes.
struct NodeSlot {
  /// The frame in which it was last changed.
  var frame: UInt32 = 0
  /// Its level; ``absent`` where it is not in memory.
  var level = Self.absent
  /// Whether it was used since the search for a node to drop last came by.
  var isUsed = false

  static let absent: UInt8 = 254
}
