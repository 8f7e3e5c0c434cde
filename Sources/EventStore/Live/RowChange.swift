/// What happened to a row that is watched.
///
/// There is one change between two positions, whatever lay between: those that follow each other
/// merge, and what was undone is told to nobody.
public struct RowChange: Sendable, Hashable {
  /// The position at which the row was as before.
  public let from: Position
  /// The position at which it is as it is now.
  public let to: Position
  /// What the id found before; `nil` where it found nothing.
  public let old: Row?
  /// What the id finds now; `nil` where it finds nothing.
  public let new: Row?

  /// A change of what an id finds, or `nil` where it finds the same.
  package init?(from: Position, to: Position, old: Row?, new: Row?) {
    guard old != new else { return nil }
    (self.from, self.to) = (from, to)
    (self.old, self.new) = (old, new)
  }

  /// The fields whose values differ; all that have values where the row came or went.
  ///
  /// - Complexity: O(bytes of the row)
  public var fields: FieldSet { FieldSet(from: old, to: new) }

  /// Whether there was a row before and there is one now, but another: the id became another name
  /// of one, or is one no more.
  public var isRedirected: Bool {
    guard let old, let new else { return false }
    return old.id != new.id
  }

  /// What came of this change and the next, or `nil` where the next took the first back.
  func merging(_ next: RowChange) -> RowChange? {
    RowChange(from: from, to: next.to, old: old, new: next.new)
  }
}

extension FieldSet {
  /// The fields whose values differ; all that have values where a row came or went.
  init(from old: Row?, to new: Row?) {
    guard let old, let new else {
      self.init(rawValue: (old ?? new)?.presence ?? 0)
      return
    }
    self.init(rawValue: new.view.changes(from: old.view, new.shape))
  }
}
