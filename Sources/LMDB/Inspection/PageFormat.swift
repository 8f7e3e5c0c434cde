/// Constants that all data files of LMDB 0.9 share, whatever their page size.
///
/// A file has the byte order and word size of the machine that wrote it; this package supports only
/// 64-bit little-endian machines.
enum PageFormat {
  /// The size of a page header: number, padding, flags, and bounds or run length.
  static let headerSize = 16
  /// The size of a node header: data size or child page, flags, key size.
  static let nodeHeaderSize = 8
  /// The size of a meta page's header and contents.
  static let metaSize = 152
  /// The size of the longest key that liblmdb stores.
  static let keySizeMax = 511
  /// The depth of the deepest tree that a liblmdb cursor can descend.
  static let depthMax = 32
  /// The first page after the two meta pages.
  static let firstPage: UInt64 = 2
  /// The root of an empty tree.
  static let noPage = UInt64.max
  /// The page sizes that liblmdb can use: offsets within a page, including its end, are 16 bits.
  static let pageSizes = [256, 512, 1024, 2048, 4096, 8192, 16384, 32768]
}

/// The kind of a page, by its header.
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

/// The kind of data that a leaf page's node holds instead of a plain value.
struct NodeFlags: OptionSet {
  let rawValue: UInt16

  /// The number of the first page of the value.
  static let overflow = Self(rawValue: 0x01)
  /// The descriptor of a tree.
  static let tree = Self(rawValue: 0x02)
  /// Several values: a page within the node or, with `tree`, a tree.
  static let duplicates = Self(rawValue: 0x04)
}
