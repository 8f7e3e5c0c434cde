/// Sizes that every data file of LMDB 0.9 shares, whatever its page size.
///
/// The file is in the byte order and word size of the machine that wrote it; this package is for
/// 64-bit little-endian machines only.
enum PageFormat {
  /// What stands before the content of a page: number, pad, flags, and bounds or run length.
  static let headerSize = 16
  /// What stands before the key of a node: data size or child page, flags, key size.
  static let nodeHeaderSize = 8
  /// The header of a meta page and what it says.
  static let metaSize = 152
  /// The longest key that liblmdb stores.
  static let keySizeMax = 511
  /// The deepest tree that a cursor of liblmdb can descend.
  static let depthMax = 32
  /// The first page after the two meta pages.
  static let firstPage: UInt64 = 2
  /// Stands for the root of an empty tree.
  static let noPage = UInt64.max
  /// The page sizes liblmdb can use: offsets within a page are 16 bits, with the end included.
  static let pageSizes = [256, 512, 1024, 2048, 4096, 8192, 16384, 32768]
}

/// What a page says that it is.
struct PageFlags: OptionSet {
  let rawValue: UInt16

  static let branch = Self(rawValue: 0x01)
  static let leaf = Self(rawValue: 0x02)
  static let overflow = Self(rawValue: 0x04)
  static let meta = Self(rawValue: 0x08)
  /// Set in memory only, except in pages within nodes.
  static let dirty = Self(rawValue: 0x10)
  /// Keys of one size, without node headers.
  static let fixed = Self(rawValue: 0x20)
  /// A page within a node, for duplicates.
  static let inner = Self(rawValue: 0x40)
}

/// What a node of a leaf page holds in place of a plain value.
struct NodeFlags: OptionSet {
  let rawValue: UInt16

  /// The number of the page at which the value begins.
  static let overflow = Self(rawValue: 0x01)
  /// The descriptor of a tree.
  static let tree = Self(rawValue: 0x02)
  /// Several values: a page within the node or, with `tree`, a tree.
  static let duplicates = Self(rawValue: 0x04)
}
