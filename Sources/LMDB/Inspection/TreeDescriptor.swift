/// A tree's root, the order of its keys, and its stated size.
package struct TreeDescriptor: Sendable, Hashable {
  /// The order of keys and duplicates, as chosen when the table was created.
  package struct Flags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    static let reverseKey = Self(rawValue: 0x02)
    package static let duplicates = Self(rawValue: 0x04)
    static let integerKey = Self(rawValue: 0x08)
    package static let fixedDuplicates = Self(rawValue: 0x10)
    static let integerDuplicates = Self(rawValue: 0x20)
    static let reverseDuplicates = Self(rawValue: 0x40)
  }

  /// The size of each duplicate, if fixed; the page size in the free list's descriptor.
  let fixedSize: Int
  package let flags: Flags
  /// The number of pages on the path from the root to an entry, both included.
  package let depth: Int
  let branchPages: UInt64
  let leafPages: UInt64
  let overflowPages: UInt64
  package let entries: UInt64
  /// The root page; `nil` if the tree is empty.
  package let root: UInt64?

  /// The size of a descriptor in the file.
  static let size = 48

  /// An empty tree.
  init() {
    (fixedSize, flags, depth) = (0, [], 0)
    (branchPages, leafPages, overflowPages, entries) = (0, 0, 0, 0)
    root = nil
  }

  /// Decodes the 48 bytes from `offset` on, which must lie within `bytes`.
  init(_ bytes: RawSpan, at offset: Int) {
    fixedSize = Int(bytes.integer(UInt32.self, at: offset))
    flags = Flags(rawValue: bytes.integer(UInt16.self, at: offset + 4))
    depth = Int(bytes.integer(UInt16.self, at: offset + 6))
    branchPages = bytes.integer(UInt64.self, at: offset + 8)
    leafPages = bytes.integer(UInt64.self, at: offset + 16)
    overflowPages = bytes.integer(UInt64.self, at: offset + 24)
    entries = bytes.integer(UInt64.self, at: offset + 32)
    let page = bytes.integer(UInt64.self, at: offset + 40)
    root = page == PageFormat.noPage ? nil : page
  }
}

/// A named table and its tree.
package struct NamedTree: Sendable, Hashable {
  package let name: [UInt8]
  package let tree: TreeDescriptor
}
