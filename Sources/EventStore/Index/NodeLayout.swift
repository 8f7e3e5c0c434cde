import LMDB

/// Where what stands in a node.
///
///     0   4  checksum of the node's number and all that follows; taken when it is written
///     4   1  format
///     5   1  level: 0 for a leaf, 255 for a free node
///     6   1  words in a key
///     7   1  0
///     8   4  how many entries or children there are; in a free node, the next one
///     12  4  0
///     16     columns, each with room for as many as the node can hold: every word, row;
///            above the leaves also child, count of the entries below it
///
/// All integers are little-endian. Above the leaves words and row are those of the first entry
/// below the child. A free node ends with byte 16.
package struct NodeLayout: Sendable {
  /// With its header from LMDB, a node of so many bytes fills one page.
  package static let byteCountDefault = 4064
  /// The fewest and the most bytes a node may have.
  static let byteCounts = 256...65536
  /// The format.
  static let format: UInt8 = 1
  /// What a free node has for a level.
  static let freeLevel: UInt8 = 255
  /// More levels than 2³² entries can have, however small the nodes.
  static let levelMax = 32
  static let headerBytes = 16

  /// How many bytes a node has.
  let byteCount: Int
  /// How many words a key has.
  let width: Int
  /// How many entries a leaf can hold.
  let leafCapacity: Int
  /// How many children a node above can have.
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

  /// How many a node of that level can hold.
  @inline(__always)
  func capacity(_ level: Int) -> Int { level == 0 ? leafCapacity : branchCapacity }

  /// How many a node of that level must hold, unless it is the root or at either end of its level.
  @inline(__always)
  func minimum(_ level: Int) -> Int {
    level == 0 ? max(1, leafCapacity / 4) : max(2, branchCapacity / 4)
  }

  /// Where the column of rows begins in a node of that capacity.
  @inline(__always)
  func rows(_ capacity: Int) -> Int { Self.headerBytes + 8 * width * capacity }

  /// Where a word of an entry stands.
  @inline(__always)
  func word(_ word: Int, of index: Int, _ capacity: Int) -> Int {
    Self.headerBytes + 8 * (capacity * word + index)
  }

  /// Where a child of a node above the leaves stands.
  @inline(__always)
  func child(_ index: Int) -> Int { rows(branchCapacity) + 4 * (branchCapacity + index) }

  /// Where the count below a child stands.
  @inline(__always)
  func below(_ index: Int) -> Int { rows(branchCapacity) + 4 * (2 * branchCapacity + index) }

  /// The bytes of a node that holds nothing.
  func emptyNode(level: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    (bytes[4], bytes[5], bytes[6]) = (Self.format, UInt8(level), UInt8(width))
    return bytes
  }

  /// The bytes of a free node.
  func freeNode(before next: UInt32) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0, Self.format, Self.freeLevel, UInt8(width), 0]
    bytes.append(littleEndian: next)
    bytes.append(littleEndian: UInt32(0))
    return bytes
  }

  /// What is wrong with the bytes of a node that come from outside, if anything is.
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
