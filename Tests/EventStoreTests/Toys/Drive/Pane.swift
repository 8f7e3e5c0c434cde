import EventStore

/// A part of a list that somebody looks at.
struct Pane: Sendable {
  /// The list's view.
  let view: String
  /// The list's group: of a view without groups, `nil`; of one with groups, `nil` for the rows
  /// that have no value.
  let group: String?
  /// Which of its rows, and whether also how many there are.
  var window: ListWindow

  /// What answers it.
  var source = Source.kept

  /// What may answer a pane.
  enum Source: CaseIterable {
    /// The reducer's view.
    case kept
    /// A view that is made for it.
    case transient
    /// One whose condition is not planned, but asked of each row.
    case residual
  }

  /// What the list is called, in a view that is grouped or not.
  func name(isGrouped: Bool) -> ListName {
    ListName(view, group: isGrouped ? ListName.Group(group) : nil)
  }

  /// What the pane shows of a list.
  func sight(of rows: [Row]) -> Sight {
    let upper = min(window.upperBound, rows.count)
    let shown = rows[min(window.lowerBound, upper)..<upper]
    return Sight(rows: Array(shown), total: window.hasTotal ? rows.count : nil)
  }

  /// The list, as a key: groups are told apart by their bytes.
  var list: PaneList { PaneList(view: view, group: group.map { Array($0.utf8) }) }
}

/// Which list it is.
struct PaneList: Hashable {
  let view: String
  let group: [UInt8]?
}

/// What a pane shows.
struct Sight: Equatable, Sendable {
  let rows: [Row]
  /// How many rows the whole list has, where the pane shows that.
  let total: Int?

  /// The one change set that leads from this to another.
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
