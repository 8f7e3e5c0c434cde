/// The state of a node other than its bytes.
struct NodeSlot {
  /// The frame in which the node was last changed.
  var frame: UInt32 = 0
  /// The node's level; ``absent`` if it is not in memory.
  var level = Self.absent
  /// Whether the node was used since the last sweep for nodes to drop passed it.
  var isUsed = false

  static let absent: UInt8 = 254
}
