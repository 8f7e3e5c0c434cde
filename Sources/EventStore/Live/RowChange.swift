/// A change of a watched row.
///
/// There is a single change between two positions: consecutive changes merge, and changes that
/// cancel out are not delivered.
public struct RowChange: Sendable, Hashable {
  /// The position at which the row had its old state.
  public let from: Position
  /// The position at which the row has its new state.
  public let to: Position
  /// The row that the id found before, or `nil` if it found none.
  public let old: Row?
  /// The row that the id finds now, or `nil` if it finds none.
  public let new: Row?

  /// Creates a change of what an id finds, or returns `nil` if it finds the same.
  package init?(from: Position, to: Position, old: Row?, new: Row?) {
    guard old != new else { return nil }
    (self.from, self.to) = (from, to)
    (self.old, self.new) = (old, new)
  }

  /// The fields whose values differ; if the row came or went, all fields that have values.
  ///
  /// - Complexity: O(bytes of the row)
  public var fields: FieldSet { FieldSet(from: old, to: new) }

  /// Whether the id found a row before and now finds another: the id began or ceased to be another
  /// name of a row.
  public var isRedirected: Bool {
    guard let old, let new else { return false }
    return old.id != new.id
  }

  /// Returns this change merged with the next, or `nil` if the next undoes this one.
  package func merging(_ next: RowChange) -> RowChange? {
    RowChange(from: from, to: next.to, old: old, new: next.new)
  }
}

extension FieldSet {
  /// Creates the set of fields whose values differ; if a row came or went, all fields with values.
  init(from old: Row?, to new: Row?) {
    guard let old, let new else {
      self.init(rawValue: (old ?? new)?.presence ?? 0)
      return
    }
    self.init(rawValue: new.view.changes(from: old.view, new.shape))
  }
}
