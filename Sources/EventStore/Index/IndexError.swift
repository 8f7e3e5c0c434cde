/// Why an index can't be trusted any longer.
///
/// The remedy is always to build it anew.
package enum IndexError: Error, Hashable, Sendable {
  /// A node is not what was written.
  case damagedNode(view: UInt32, node: UInt32, NodeDamage)
  /// The header is not one of this view and this format.
  case damagedHeader(view: UInt32)
  /// An entry that was to go out is not in the index.
  case absent(view: UInt32, RowID)
  /// An entry that was to go in is in the index already.
  case present(view: UInt32, RowID)
  /// Entries that an index was to be built from don't ascend.
  case disordered(view: UInt32, RowID)
}

/// What is wrong with a node.
package enum NodeDamage: Hashable, Sendable {
  /// It is not there.
  case absent
  /// It has too few or too many bytes.
  case size(Int)
  /// Its bytes are not those that were written, or it stands in another's place.
  case checksum
  /// It is of another format, or its numbers can't be.
  case format
  /// It is not what the node above says it is.
  case link
  /// An invariant doesn't hold, which it names.
  case invariant(String)
}

extension IndexError: CustomStringConvertible {
  /// What is wrong, and what to do about it.
  package var description: String {
    switch self {
    case .damagedNode(let view, let node, let damage):
      "Node \(node) of view \(view) is damaged (\(damage)). Rebuild the view."
    case .damagedHeader(let view): "The header of view \(view) is damaged. Rebuild the view."
    case .absent(let view, let row):
      "Row \(row.rawValue) is missing from the index of view \(view). Rebuild the view."
    case .present(let view, let row):
      "Row \(row.rawValue) is in the index of view \(view) already. Rebuild the view."
    case .disordered(let view, let row):
      "Row \(row.rawValue) does not ascend in view \(view). Rebuild the view."
    }
  }
}
