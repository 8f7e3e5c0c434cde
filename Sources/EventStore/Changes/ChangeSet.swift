/// What happened to a list, or to a window of it, between two positions.
///
/// It is canonical: whatever led from one list to the other, there is one change set between them,
/// and equal ones have equal encodings, but for where the content of references lies. So change
/// sets may be merged and compared instead of lists.
///
/// 1. `a.applying(to: old)` is the new list.
/// 2. Merging two that follow each other gives the change set between the first and the last list.
/// 3. An empty one is delivered to nobody but who had a window moved.
public struct ChangeSet: Sendable, Hashable {
  /// The position that the old list stood at.
  public let from: Position
  /// The position that the new list stands at.
  public let to: Position
  /// How many rows the old list had; 0 where it is replaced.
  public let oldCount: Int
  /// How many rows the new list has.
  public let newCount: Int
  /// How many rows there were, also outside of the window, where it shows that; `nil` where the
  /// list is replaced.
  public let oldTotal: Int?
  /// How many rows there are, also outside of the window, where it shows that.
  public let newTotal: Int?
  /// The edits, or the whole new list.
  public let content: Content

  /// What a change set holds.
  public enum Content: Sendable, Hashable {
    /// All rows of the new list: it couldn't be told what had happened.
    case reset(RowList)
    /// What happened to the rows.
    case edits(Edits)
  }

  /// A change set of edits.
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

  /// A change set that replaces the list, whatever it was.
  package init(from: Position, to: Position, reset rows: RowList, total: Int? = nil) {
    self.from = from
    self.to = to
    oldCount = 0
    newCount = rows.count
    oldTotal = nil
    newTotal = total
    content = .reset(rows)
  }

  /// Whether nothing happened: neither to the rows nor to their total.
  public var isEmpty: Bool {
    guard case .edits(let edits) = content else { return false }
    return edits.isEmpty && oldTotal == newTotal
  }

  /// Whether the list is replaced.
  public var isReset: Bool {
    guard case .reset = content else { return false }
    return true
  }

  /// What happened to the rows; nothing where the list is replaced.
  public var edits: Edits {
    guard case .edits(let edits) = content else { return Edits() }
    return edits
  }
}
