import LMDB

/// What must be known of an index before its first node is read.
///
///     0   1  format
///     1   1  words in a key
///     2   1  levels above the leaves
///     3   1  0
///     4   4  bytes of a node
///     8   4  root, or 0 where there are no entries
///     12  4  the first free node, or 0
///     16  4  how many free nodes there are
///     20  4  the number that the next new node gets
///     24  8  how many entries there are
///     32  8  rolling hash
package struct IndexHeader: Hashable, Sendable {
  /// The bytes of a header.
  package static let byteCount = 40
  /// The format.
  static let format: UInt8 = 1

  /// How many words a key has.
  package let width: Int
  /// How many bytes a node has.
  package let nodeBytes: Int
  /// The root, or 0 where there are no entries.
  var root: UInt32 = 0
  /// How many levels there are above the leaves.
  var height = 0
  /// How many entries there are.
  package internal(set) var count = 0
  /// A sum over the entries that is the same whatever the order they came in; the index's owner
  /// keeps it.
  package var hash: UInt64 = 0
  /// The first free node, or 0; each names the next.
  var free: UInt32 = 0
  /// How many free nodes there are.
  var freeCount: UInt32 = 0
  /// The number that the next new node gets.
  var next: UInt32 = 1

  /// The header of an empty index.
  package init(width: Int, nodeBytes: Int = NodeLayout.byteCountDefault) {
    (self.width, self.nodeBytes) = (width, nodeBytes)
  }

  /// The header that bytes stand for, or `nil` where they stand for none.
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

  /// Whether the numbers fit one another.
  private var isPossible: Bool {
    NodeLayout.canHave(width: width, byteCount: nodeBytes) && next >= 1 && root < next
      && free < next && freeCount < next && height <= NodeLayout.levelMax && count >= 0
      && (root == 0) == (count == 0)
  }

  /// The bytes that stand for it.
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
