package import LMDB

/// The location of an index's nodes in an environment, and the reader to access them.
///
/// All views of a store share one table. A node's key consists of the view's number and the node's
/// number, 32 bits each.
package struct NodeBase {
  /// The reader for the nodes; its owner renews it after each commit of nodes.
  package let reader: KeptReader
  /// The table of all views' nodes.
  package let table: Table<UInt64, [UInt8]>

  /// Creates a base for the nodes in a table.
  package init(_ reader: KeptReader, _ table: Table<UInt64, [UInt8]>) {
    (self.reader, self.table) = (reader, table)
  }

  /// Returns a copy of a node's bytes.
  func bytes(of key: UInt64) throws(LMDBError) -> [UInt8]? {
    try reader.read { loan throws(LMDBError) in try loan.bytes(for: key, in: table)?.array }
  }

  /// Returns the key of a node in the table.
  static func key(_ view: UInt32, _ node: UInt32) -> UInt64 { UInt64(view) << 32 | UInt64(node) }

  /// Removes any nodes with keys in a range, which makes their index unusable.
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
