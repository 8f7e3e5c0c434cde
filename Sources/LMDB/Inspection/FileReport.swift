/// A data file's contents and problems.
public struct FileReport: Sendable, Hashable {
  /// The number of pages of each kind, up to the last one that the snapshot counts.
  public struct Pages: Sendable, Hashable {
    /// Pages that refer to child pages.
    public internal(set) var branch: UInt64 = 0
    /// Pages of entries.
    public internal(set) var leaf: UInt64 = 0
    /// Pages of values too long for a leaf page.
    public internal(set) var overflow: UInt64 = 0
    /// Pages in the free list.
    public internal(set) var free: UInt64 = 0
    /// Pages that neither a tree nor the free list refers to.
    public internal(set) var leaked: UInt64 = 0

    /// The number of pages in trees.
    public var used: UInt64 { branch + leaf + overflow }
  }

  /// A table and the number of entries found in it.
  public struct Table: Sendable, Hashable {
    /// The bytes of the table's name; `nil` for the unnamed table.
    public let name: [UInt8]?
    /// The number of reachable entries; each duplicate counts.
    public let entries: UInt64
  }

  /// The size of the file, in bytes.
  public let size: Int
  /// The size of a page, in bytes; 0 if the file is empty.
  public internal(set) var pageSize = 0
  /// The number of the newest whole snapshot, which the report describes.
  public internal(set) var transaction: UInt64 = 0
  /// The pages of that snapshot.
  public internal(set) var pages = Pages()
  /// The unnamed table, then the named ones, ordered by name.
  public internal(set) var tables: [Table] = []
  /// The first thousand problems.
  public internal(set) var problems: [PageProblem] = []
  /// The total number of problems.
  public internal(set) var problemCount = 0

  /// Whether there are no problems.
  public var isSound: Bool { problemCount == 0 }

  /// A report on a file without pages.
  package init(size: Int) { self.size = size }
}
