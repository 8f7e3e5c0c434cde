import LMDB

/// The facts about an index that must be known before its first node is read.
///
///     0   1  format
///     1   1  words in a key
///     2   1  levels above the leaves
///     3   1  0
///     4   4  bytes of a node
///     8   4  root, or 0 if the index is empty
///     12  4  first free node, or 0
///     16  4  number of free nodes
///     20  4  number of the next new node
///     24  8  number of entries
///     32  8  rolling hash
package struct IndexHeader: Hashable, Sendable {
  /// The number of bytes in a header.
  package static let byteCount = 40
  /// The version of the format.
  static let format: UInt8 = 1

  /// The number of words in a key.
  package let width: Int
  /// The number of bytes in a node.
  package let nodeBytes: Int
  /// The root, or 0 if the index is empty.
  var root: UInt32 = 0
  /// The number of levels above the leaves.
  var height = 0
  /// The number of entries.
  package internal(set) var count = 0
  /// A sum over the entries that does not depend on their order; maintained by the index's owner.
  package var hash: UInt64 = 0
  /// The first free node, or 0; each free node refers to the next.
  var free: UInt32 = 0
  /// The number of free nodes.
  var freeCount: UInt32 = 0
  /// The number of the next new node.
  var next: UInt32 = 1

  /// Creates the header of an empty index.
  package init(width: Int, nodeBytes: Int = NodeLayout.byteCountDefault) {
    (self.width, self.nodeBytes) = (width, nodeBytes)
  }

  /// Decodes a header; `nil` if the bytes are invalid.
  package init?(_ bytes: RawSpan) {
    guard bytes.byteCount == Self.byteCount, bytes.byte(at: 0) == Self.format else { return nil }
    self.init(width: Int(bytes.byte(at: 1)), nodeBytes: Int(bytes.integer(UInt32.self, at: 4)))
    height = Int(bytes.byte(at: 2))
    root = bytes.integer(UInt32.self, at: 8)
    free = bytes.integer(UInt32.self, at: 12)
    freeCount = bytes.integer(UInt32.self, at: 16)
    next = bytes.integer(UInt32.self, at: 20)
    count = Int(truncatingIfNeeded: bytes.integer(UInt64.self, at: 24))
    hash = bytes.integer(UInt64.self, at: 32)
    guard isPossible else { return nil }
  }

  /// Whether the numbers are consistent.
  private var isPossible: Bool {
    NodeLayout.canHave(width: width, byteCount: nodeBytes) && next >= 1 && root < next
      && free < next && freeCount < next && height <= NodeLayout.levelMax && count >= 0
      && (root == 0) == (count == 0)
  }

  /// The encoded header.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = [Self.format, UInt8(width), UInt8(height), 0]
    bytes.reserveCapacity(Self.byteCount)
    for number in [UInt32(nodeBytes), root, free, freeCount, next] {
      bytes.append(littleEndian: number)
    }
    bytes.append(littleEndian: UInt64(count))
    bytes.append(littleEndian: hash)
    return bytes
  }
}
