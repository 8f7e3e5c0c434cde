import EventStore

/// A part of a list that a viewer looks at.
struct Pane: Sendable {
  /// The list's view.
  let view: String
  /// The list's group: `nil` in a view without groups; in a view with groups, `nil` for the rows
  /// without a value.
  let group: String?
  /// The rows to show, and whether to show the total as well.
  var window: ListWindow

  /// The kind of view that answers the pane.
  var source = Source.kept

  /// The kinds of views that may answer a pane.
  enum Source: CaseIterable {
    /// The reducer's view.
    case kept
    /// A view made for the pane.
    case transient
    /// A view whose condition is not planned, but asked of each row.
    case residual
  }

  /// Returns the name of the list, in a view that is grouped or not.
  func name(isGrouped: Bool) -> ListName {
    ListName(view, group: isGrouped ? ListName.Group(group) : nil)
  }

  /// Returns what the pane shows of a list.
  func sight(of rows: [Row]) -> Sight {
    let upper = min(window.upperBound, rows.count)
    let shown = rows[min(window.lowerBound, upper)..<upper]
    return Sight(rows: Array(shown), total: window.hasTotal ? rows.count : nil)
  }

  /// The list as a key: groups are distinguished by their bytes.
  var list: PaneList { PaneList(view: view, group: group.map { Array($0.utf8) }) }
}

/// The identity of a list.
struct PaneList: Hashable {
  let view: String
  let group: [UInt8]?
}

/// What a pane shows.
struct Sight: Equatable, Sendable {
  let rows: [Row]
  /// The number of rows in the whole list, where the pane shows it.
  let total: Int?

  /// Returns the only change set that leads from this sight to another.
  func changeSet(to new: Sight, from: Position, to: Position) -> ChangeSet {
    FullDiff.changeSet(
      rows, new.rows, from: from, to: to, oldTotal: total, newTotal: new.total)
  }
}

/// What the owner of an open pane is given.
struct Delivery: Sendable {
  let set: ChangeSet
  let list: RowList
  let total: Int?
}

extension Pane: CustomStringConvertible {
  var description: String {
    let rows = window.upperBound == .max ? "\(window.lowerBound)..." : "..<\(window.upperBound)"
    return "\(source) \(view)\(group.map { "[\($0.debugDescription)]" } ?? "") \(rows)"
  }
}
