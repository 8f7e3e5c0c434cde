extension ChangeSet {
  /// What happened to the rows of a list, in two phases: first `removals`, `insertions` and `moves`
  /// as one, then `updates`.
  public struct Edits: Sendable, Hashable {
    /// The rows that went out of the list, ascending.
    public package(set) var removals: [Removal] = []
    /// The rows that came into the list, ascending.
    public package(set) var insertions: [Insertion] = []
    /// The rows that changed their place among the others, in the order of the new list.
    public package(set) var moves: [Move] = []
    /// The rows whose visible fields changed, ascending; they may have moved as well.
    public package(set) var updates: [Update] = []

    /// No edits.
    package init() {}

    /// Whether nothing happened.
    public var isEmpty: Bool {
      removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
    }
  }

  /// A row went out of the list.
  public struct Removal: Sendable, Hashable, Identifiable {
    /// Its index in the old list.
    public let index: Int
    /// What it was.
    package let trace: RowTrace

    /// A removal of what was at an index of the old list.
    package init(index: Int, trace: RowTrace) {
      self.index = index
      self.trace = trace
    }

    /// The row's id.
    public var id: String { trace.id }
  }

  /// A row came into the list.
  public struct Insertion: Sendable, Hashable {
    /// Its index in the new list.
    public let index: Int
    /// The row.
    public let row: Row

    /// An insertion of a row, so that it is at an index of the new list.
    package init(index: Int, row: Row) {
      self.index = index
      self.row = row
    }
  }

  /// A row changed its place among the others.
  public struct Move: Sendable, Hashable {
    /// Its index in the old list.
    public let old: Int
    /// Its index in the new list.
    public let new: Int

    /// A move from an index of the old list to one of the new.
    package init(old: Int, new: Int) {
      self.old = old
      self.new = new
    }
  }

  /// A row's visible fields changed.
  public struct Update: Sendable, Hashable {
    /// Its index in the new list.
    public let index: Int
    /// The row as it is now.
    public let row: Row
    /// What changed.
    package let difference: RowDifference

    /// An update of the row at an index of the new list.
    package init(index: Int, row: Row, difference: RowDifference) {
      self.index = index
      self.row = row
      self.difference = difference
    }

    /// The fields that changed.
    public var fields: FieldSet { difference.fields }
  }
}
