/// What a data file holds, and what is wrong with it.
public struct FileReport: Sendable, Hashable {
  /// How many pages there are of each kind, up to the last one that the snapshot counts.
  public struct Pages: Sendable, Hashable {
    /// Pages that lead to others.
    public internal(set) var branch: UInt64 = 0
    /// Pages of entries.
    public internal(set) var leaf: UInt64 = 0
    /// Pages of values too long for a leaf page.
    public internal(set) var overflow: UInt64 = 0
    /// Pages that the free list holds for reuse.
    public internal(set) var free: UInt64 = 0
    /// Pages that no tree leads to, and that the free list lacks.
    public internal(set) var leaked: UInt64 = 0

    /// The pages of trees.
    public var used: UInt64 { branch + leaf + overflow }
  }

  /// A table, and how many entries were found in it.
  public struct Table: Sendable, Hashable {
    /// The bytes of its name, `nil` for the unnamed table.
    public let name: [UInt8]?
    /// Entries that could be reached; each duplicate counts.
    public let entries: UInt64
  }

  /// In bytes.
  public let size: Int
  /// In bytes; 0 where the file is empty.
  public internal(set) var pageSize = 0
  /// The number of the newest whole snapshot, which is the one that the report is on.
  public internal(set) var transaction: UInt64 = 0
  /// The pages of that snapshot.
  public internal(set) var pages = Pages()
  /// The unnamed table, then the named ones in the order of their names.
  public internal(set) var tables: [Table] = []
  /// The first thousand problems.
  public internal(set) var problems: [PageProblem] = []
  /// How many problems there are.
  public internal(set) var problemCount = 0

  /// Whether nothing is wrong.
  public var isSound: Bool { problemCount == 0 }

  /// The report on a file without pages.
  package init(size: Int) { self.size = size }
}
