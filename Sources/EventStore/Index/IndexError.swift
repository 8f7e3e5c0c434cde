/// The reason that an index can no longer be trusted.
///
/// The remedy is always to rebuild it.
package enum IndexError: Error, Hashable, Sendable {
  /// A node differs from what was written.
  case damagedNode(view: UInt32, node: UInt32, NodeDamage)
  /// The header does not belong to this view or this format.
  case damagedHeader(view: UInt32)
  /// An entry to be removed is not in the index.
  case absent(view: UInt32, RowID)
  /// An entry to be inserted is already in the index.
  case present(view: UInt32, RowID)
  /// The entries to build an index from do not ascend.
  case disordered(view: UInt32, RowID)
}

/// The way in which a node is damaged.
package enum NodeDamage: Hashable, Sendable {
  /// The node does not exist.
  case absent
  /// The node has too few or too many bytes.
  case size(Int)
  /// The node's bytes are not those that were written, or the node is in another's place.
  case checksum
  /// The node has another format, or impossible numbers.
  case format
  /// The node does not match its parent's description.
  case link
  /// The named invariant does not hold.
  case invariant(String)
}

extension IndexError: CustomStringConvertible {
  /// A message that says what is wrong and how to fix it.
  package var description: String {
    switch self {
    case .damagedNode(let view, let node, let damage):
      "Node \(node) of view \(view) is damaged (\(damage)). Rebuild the view."
    case .damagedHeader(let view): "The header of view \(view) is damaged. Rebuild the view."
    case .absent(let view, let row):
      "Row \(row.rawValue) is missing from the index of view \(view). Rebuild the view."
    case .present(let view, let row):
      "Row \(row.rawValue) is already in the index of view \(view). Rebuild the view."
    case .disordered(let view, let row):
      "Row \(row.rawValue) is out of order in view \(view). Rebuild the view."
    }
  }
}
