import LMDB

/// The layout of a node's bytes.
///
///     0   4  checksum of the node's key and all that follows; set when the node is written
///     4   1  format
///     5   1  level: 0 for a leaf, 255 for a free node
///     6   1  words in a key
///     7   1  0
///     8   4  number of entries or children; in a free node, the next free node
///     12  4  0
///     16     columns, each with room for the node's capacity: every word, row;
///            in inner nodes also child, count of the entries below it
///
/// All integers are little-endian. In inner nodes, words and row are those of the first entry below
/// the child. A free node ends at byte 16.
package struct NodeLayout: Sendable {
  /// The default size: with LMDB's header, such a node fills one page.
  package static let byteCountDefault = 4064
  /// The smallest and the largest size of a node in bytes.
  static let byteCounts = 256...65536
  /// The version of the format.
  static let format: UInt8 = 1
  /// The level of a free node.
  static let freeLevel: UInt8 = 255
  /// More levels than 2³² entries can need, however small the nodes.
  static let levelMax = 32
  static let headerBytes = 16

  /// The number of bytes in a node.
  let byteCount: Int
  /// The number of words in a key.
  let width: Int
  /// The maximum number of entries in a leaf.
  let leafCapacity: Int
  /// The maximum number of children of an inner node.
  let branchCapacity: Int

  init(width: Int, byteCount: Int) {
    precondition(Self.canHave(width: width, byteCount: byteCount), "no such nodes")
    (self.width, self.byteCount) = (width, byteCount)
    leafCapacity = (byteCount - Self.headerBytes) / (8 * width + 4)
    branchCapacity = (byteCount - Self.headerBytes) / (8 * width + 12)
  }

  static func canHave(width: Int, byteCount: Int) -> Bool {
    (1...SortWords.countMax).contains(width) && byteCounts.contains(byteCount)
  }

  /// Returns the maximum number of entries or children of a node at a level.
  @inline(__always)
  func capacity(_ level: Int) -> Int { level == 0 ? leafCapacity : branchCapacity }

  /// Returns the minimum number of entries or children of a node at a level, unless the node is the
  /// root or at either end of its level.
  @inline(__always)
  func minimum(_ level: Int) -> Int {
    level == 0 ? max(1, leafCapacity / 4) : max(2, branchCapacity / 4)
  }

  /// Returns the offset of the rows' column in a node with a capacity.
  @inline(__always)
  func rows(_ capacity: Int) -> Int { Self.headerBytes + 8 * width * capacity }

  /// Returns the offset of a word of an entry.
  @inline(__always)
  func word(_ word: Int, of index: Int, _ capacity: Int) -> Int {
    Self.headerBytes + 8 * (capacity * word + index)
  }

  /// Returns the offset of a child in an inner node.
  @inline(__always)
  func child(_ index: Int) -> Int { rows(branchCapacity) + 4 * (branchCapacity + index) }

  /// Returns the offset of the count below a child.
  @inline(__always)
  func below(_ index: Int) -> Int { rows(branchCapacity) + 4 * (2 * branchCapacity + index) }

  /// Returns the bytes of an empty node.
  func emptyNode(level: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    (bytes[4], bytes[5], bytes[6]) = (Self.format, UInt8(level), UInt8(width))
    return bytes
  }

  /// Returns the bytes of a free node.
  func freeNode(before next: UInt32) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0, Self.format, Self.freeLevel, UInt8(width), 0]
    bytes.append(littleEndian: next)
    bytes.append(littleEndian: UInt32(0))
    return bytes
  }

  /// Returns what is wrong with a node's untrusted bytes; `nil` if nothing is.
  func damage(of bytes: RawSpan, key: UInt64) -> NodeDamage? {
    guard bytes.byteCount == byteCount || bytes.byteCount == Self.headerBytes else {
      return .size(bytes.byteCount)
    }
    let sum = Checksum.of(key, bytes.extracting(4..<bytes.byteCount))
    guard sum == bytes.integer(UInt32.self, at: 0) else { return .checksum }
    let isFree = bytes.byte(at: 5) == Self.freeLevel
    guard bytes.byte(at: 4) == Self.format, Int(bytes.byte(at: 6)) == width,
      isFree == (bytes.byteCount == Self.headerBytes)
    else { return .format }
    return isFree || hasPossibleCount(bytes) ? nil : .format
  }

  private func hasPossibleCount(_ bytes: RawSpan) -> Bool {
    let level = Int(bytes.byte(at: 5))
    let count = Int(bytes.integer(UInt32.self, at: 8))
    return level <= Self.levelMax && count > 0 && count <= capacity(level)
  }
}
