package import LMDB

/// Where an index's nodes lie in an environment, and the reader that they are read through.
///
/// All views of a store share one table. A node's key is the view's number and the node's, 32 bits
/// each.
package struct NodeBase {
  /// What they are read through; its owner renews it after each commit of nodes.
  package let reader: KeptReader
  /// The table of all views' nodes.
  package let table: Table<UInt64, [UInt8]>

  /// Nodes in a table.
  package init(_ reader: KeptReader, _ table: Table<UInt64, [UInt8]>) {
    (self.reader, self.table) = (reader, table)
  }

  /// A copy of the bytes of a node.
  func bytes(of key: UInt64) throws(LMDBError) -> [UInt8]? {
    try reader.read { loan throws(LMDBError) in try loan.bytes(for: key, in: table)?.array }
  }

  /// The key of a node in the table.
  static func key(_ view: UInt32, _ node: UInt32) -> UInt64 { UInt64(view) << 32 | UInt64(node) }

  /// Removes the nodes under some keys, where they are there: their index is of no use then.
  ///
  /// - Complexity: O(nodes × log n)
  package static func remove(
    _ keys: ClosedRange<UInt64>, from transaction: inout WriteTransaction,
    _ table: Table<UInt64, [UInt8]>
  ) throws(LMDBError) {
    let nodes = KeyRange.through(keys.lowerBound, keys.upperBound)
    var cursor = try transaction.writeCursor(over: table, in: nodes)
    while try cursor.next() { try cursor.remove() }
  }
}
