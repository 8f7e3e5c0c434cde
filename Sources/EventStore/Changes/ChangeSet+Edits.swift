extension ChangeSet {
  /// The changes to the rows of a list, in two phases: first `removals`, `insertions` and `moves`
  /// together, then `updates`.
  public struct Edits: Sendable, Hashable {
    /// The rows that left the list, ascending.
    public package(set) var removals: [Removal] = []
    /// The rows that entered the list, ascending.
    public package(set) var insertions: [Insertion] = []
    /// The rows whose order relative to the others changed, in the order of the new list.
    public package(set) var moves: [Move] = []
    /// The rows whose visible fields changed, ascending; they may have moved as well.
    public package(set) var updates: [Update] = []

    /// Creates an empty set of edits.
    package init() {}

    /// Whether nothing changed.
    public var isEmpty: Bool {
      removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
    }
  }

  /// A row that left the list.
  public struct Removal: Sendable, Hashable, Identifiable {
    /// The row's index in the old list.
    public let index: Int
    /// The row's id and digests before the removal.
    package let trace: RowTrace

    /// Creates the removal of the row at an index of the old list.
    package init(index: Int, trace: RowTrace) {
      self.index = index
      self.trace = trace
    }

    /// The row's id.
    public var id: String { trace.id }
  }

  /// A row that entered the list.
  public struct Insertion: Sendable, Hashable {
    /// The row's index in the new list.
    public let index: Int
    /// The row.
    public let row: Row

    /// Creates the insertion of a row at an index of the new list.
    package init(index: Int, row: Row) {
      self.index = index
      self.row = row
    }
  }

  /// A row whose order relative to the others changed.
  public struct Move: Sendable, Hashable {
    /// The row's index in the old list.
    public let old: Int
    /// The row's index in the new list.
    public let new: Int

    /// Creates a move from an index of the old list to an index of the new list.
    package init(old: Int, new: Int) {
      self.old = old
      self.new = new
    }
  }

  /// A row whose visible fields changed.
  public struct Update: Sendable, Hashable {
    /// The row's index in the new list.
    public let index: Int
    /// The row as it is now.
    public let row: Row
    /// The changed fields and their old digests.
    package let difference: RowDifference

    /// Creates an update of the row at an index of the new list.
    package init(index: Int, row: Row, difference: RowDifference) {
      self.index = index
      self.row = row
      self.difference = difference
    }

    /// The fields that changed.
    public var fields: FieldSet { difference.fields }
  }
}
