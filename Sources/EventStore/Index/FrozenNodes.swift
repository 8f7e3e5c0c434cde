package import LMDB

/// The nodes of one index that one frame changed, which any thread may write.
package struct FrozenNodes: Sendable {
  /// The view that the index belongs to.
  package let view: UInt32
  /// The index's header, which its owner stores in the same transaction.
  package let header: IndexHeader
  private let nodes: [Node]

  private struct Node: Sendable {
    let number: UInt32
    let bytes: [UInt8]
  }

  fileprivate init(_ index: borrowing RankedIndex) {
    (view, header) = (index.view, index.header)
    var nodes: [Node] = []
    nodes.reserveCapacity(index.dirty.count)
    for number in index.dirty {
      nodes.append(Node(number: number, bytes: index.arrays[Int(number)]))
    }
    self.nodes = nodes
  }

  /// The number of nodes to write.
  package var count: Int { nodes.count }

  /// Writes each node with its checksum, in order of node number.
  ///
  /// - Throws: Any error of ``WriteTransaction/reserve(_:for:in:_:)``.
  package func write(
    to transaction: inout WriteTransaction, _ table: Table<UInt64, [UInt8]>
  ) throws(LMDBError) {
    for node in nodes.sorted(by: { $0.number < $1.number }) {
      let key = NodeBase.key(view, node.number)
      let bytes = node.bytes.raw
      let sum = Checksum.of(key, bytes.extracting(4..<bytes.byteCount))
      var room = try transaction.reserve(bytes.byteCount, for: key, in: table)
      room.store(copying: bytes, at: 0)
      room.store(integer: sum, at: 0)
    }
  }
}

/// Freezing and committing frames.
extension RankedIndex {
  /// The number of nodes changed since the last frame.
  package var dirtyCount: Int { dirty.count }

  /// Ends the frame and returns its changes; the index can be used further in the meantime.
  ///
  /// O(changed nodes), without copying them. Traps if the previous frame is not ``committed()``.
  package mutating func freeze() -> FrozenNodes {
    precondition(committedFrame + 1 == frame, "the frame before is still being committed")
    let frozen = FrozenNodes(self)
    dirty.removeAll(keepingCapacity: true)
    frame += 1
    return frozen
  }

  /// Notes that the frozen nodes are in the base, whose reader has been renewed.
  ///
  /// Traps if nothing was frozen.
  package mutating func committed() {
    precondition(committedFrame + 2 == frame, "nothing was frozen")
    committedFrame += 1
    limit()
  }
}
