/// One of the two pages at the start of a data file: a snapshot's page size, trees and number.
///
/// Transaction n writes page n mod 2, so that the previous page stays intact in the meantime.
package struct MetaPage: Sendable, Hashable {
  /// 0 or 1.
  package let number: UInt64
  package let pageSize: Int
  package let mapSize: UInt64
  /// The last page in use or free; the file may end before it.
  package let lastPage: UInt64
  package let transaction: UInt64
  /// The tree of free pages, by the transaction that freed them.
  package let free: TreeDescriptor
  /// The tree of the unnamed table, or of the descriptors of the named ones.
  package let main: TreeDescriptor

  static let magic: UInt32 = 0xBEEF_C0DE
  static let version: UInt32 = 1

  /// Decodes the beginning of a page.
  ///
  /// Throws `.truncated` if there are too few bytes, `.invalid` if it isn't an LMDB meta page,
  /// `.versionMismatch`, or `.corrupted` if LMDB doesn't use the page size.
  package init(_ bytes: RawSpan, number: UInt64, of path: String) throws(LMDBError) {
    let subject = "meta page \(number) of \(path)"
    guard bytes.byteCount >= PageFormat.metaSize else {
      throw LMDBError(Self.hasMagic(bytes) ? .truncated : .invalid, subject)
    }
    guard PageView(bytes).flags.contains(.meta), Self.hasMagic(bytes) else {
      throw LMDBError(.invalid, subject)
    }
    guard bytes.integer(UInt32.self, at: 20) == Self.version else {
      throw LMDBError(.versionMismatch, subject)
    }
    self.number = number
    mapSize = bytes.integer(UInt64.self, at: 32)
    free = TreeDescriptor(bytes, at: 40)
    main = TreeDescriptor(bytes, at: 88)
    lastPage = bytes.integer(UInt64.self, at: 136)
    transaction = bytes.integer(UInt64.self, at: 144)
    pageSize = free.fixedSize
    guard PageFormat.pageSizes.contains(pageSize) else { throw LMDBError(.corrupted, subject) }
  }

  /// The meta page of a file without any tree.
  init(pageSize: Int, lastPage: UInt64) {
    number = 0
    self.pageSize = pageSize
    mapSize = 0
    self.lastPage = lastPage
    transaction = 0
    free = TreeDescriptor()
    main = TreeDescriptor()
  }

  private static func hasMagic(_ bytes: RawSpan) -> Bool {
    bytes.byteCount >= 20 && bytes.integer(UInt32.self, at: 16) == magic
  }

  /// Whether the page's only contradiction is a tree beyond its last page.
  var hasTreesBeyondItsEnd: Bool {
    let trees = [free, main]
    return lastPage >= 1 && lastPage < 1 << 48
      && trees.allSatisfy { ($0.root == nil) == ($0.depth == 0) && $0.depth <= PageFormat.depthMax }
      && trees.contains { $0.root.map { $0 > lastPage } ?? false }
  }

  /// Throws `.corrupted` if the page contradicts itself, and `.truncated` if a root lies beyond
  /// `size`, the size of the file.
  func validate(fileSize size: Int, of path: String) throws(LMDBError) {
    let subject = "meta page \(number) of \(path)"
    guard lastPage >= 1, lastPage < 1 << 48 else { throw LMDBError(.corrupted, subject) }
    for tree in [free, main] {
      guard (tree.root == nil) == (tree.depth == 0), tree.depth <= PageFormat.depthMax else {
        throw LMDBError(.corrupted, subject)
      }
      guard let root = tree.root else { continue }
      guard root >= PageFormat.firstPage, root <= lastPage else {
        throw LMDBError(.corrupted, subject)
      }
      guard root < size / pageSize else { throw LMDBError(.truncated, subject) }
    }
  }
}
