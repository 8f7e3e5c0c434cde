/// The changes to a list, or to a window of it, between two positions.
///
/// A change set is canonical: however one list became the other, exactly one change set lies
/// between them. Equal change sets have equal encodings, except for where the content of references
/// is stored. Change sets can therefore be merged and compared in place of lists.
///
/// 1. `a.applying(to: old)` is the new list.
/// 2. Merging consecutive change sets gives the one between the first and the last list.
/// 3. An empty change set is delivered only to a subscriber whose window moved.
public struct ChangeSet: Sendable, Hashable {
  /// The position of the old list.
  public let from: Position
  /// The position of the new list.
  public let to: Position
  /// The number of rows in the old list, or 0 if the list is replaced.
  public let oldCount: Int
  /// The number of rows in the new list.
  public let newCount: Int
  /// The number of rows before the change, including those outside the window, if the window has a
  /// total; `nil` if the list is replaced.
  public let oldTotal: Int?
  /// The number of rows now, including those outside the window, if the window has a total.
  public let newTotal: Int?
  /// The edits, or the entire new list.
  public let content: Content

  /// The content of a change set.
  public enum Content: Sendable, Hashable {
    /// All rows of the new list, because the changes could not be determined.
    case reset(RowList)
    /// The changes to the rows.
    case edits(Edits)
  }

  /// Creates a change set of edits.
  package init(
    from: Position, to: Position, oldCount: Int, newCount: Int, oldTotal: Int? = nil,
    newTotal: Int? = nil, edits: Edits
  ) {
    self.from = from
    self.to = to
    self.oldCount = oldCount
    self.newCount = newCount
    self.oldTotal = oldTotal
    self.newTotal = newTotal
    content = .edits(edits)
  }

  /// Creates a change set that replaces the list, whatever its rows were.
  package init(from: Position, to: Position, reset rows: RowList, total: Int? = nil) {
    self.from = from
    self.to = to
    oldCount = 0
    newCount = rows.count
    oldTotal = nil
    newTotal = total
    content = .reset(rows)
  }

  /// Whether neither the rows nor their total changed.
  public var isEmpty: Bool {
    guard case .edits(let edits) = content else { return false }
    return edits.isEmpty && oldTotal == newTotal
  }

  /// Whether the list is replaced.
  public var isReset: Bool {
    guard case .reset = content else { return false }
    return true
  }

  /// The changes to the rows; empty if the list is replaced.
  public var edits: Edits {
    guard case .edits(let edits) = content else { return Edits() }
    return edits
  }
}
