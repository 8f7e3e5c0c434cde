/// Sees what each event does to rows, for whoever goes through a log and wants to know.
package final class EventWitness {
  /// What the events since ``clear()`` did to a row.
  package struct Sight {
    let place: UInt8
    let row: RowID
    let old: Row?
    fileprivate(set) var new: Row?
  }

  /// What is noted of the rows that events do something to.
  package enum Detail {
    /// What each event did.
    case each
    /// What all of them did together to each row.
    case net
    /// That something was done.
    case names
  }

  /// What was seen, event by event, or row by row.
  package private(set) var sights: [Sight] = []
  /// Where the rows are among the sights, where there is one of each.
  private var places: [RowHandle: Int] = [:]
  /// The rows that something was done to, where it is not noted what.
  private(set) var handles: Set<RowHandle> = []
  /// The rows that are looked at; all of them where there is none.
  private let isWanted: ((UInt8, RowID) -> Bool)?
  private let detail: Detail

  /// A witness of the rows that are wanted, or of all.
  package init(_ detail: Detail = .each, of isWanted: ((UInt8, RowID) -> Bool)? = nil) {
    (self.detail, self.isWanted) = (detail, isWanted)
  }

  /// Notes what the present event did to a row; what only reducers see is left out.
  func note(_ place: UInt8, _ row: RowID, _ before: RowView?, _ now: RowView, _ shape: RowShape) {
    if let isWanted, !isWanted(place, row) { return }
    let handle = RowHandle(collection: place, row: row)
    guard detail != .names else {
      handles.insert(handle)
      return
    }
    let isVisible = now.isPresent != RowView.isPresent(before)
    guard isVisible || now.changes(from: before, shape) != 0 else { return }
    let new = Self.row(now, shape)
    if let index = places[handle] { return sights[index].new = new }
    if detail == .net { places[handle] = sights.count }
    sights.append(Sight(place: place, row: row, old: Self.row(before, shape), new: new))
  }

  /// What a row was seen to become, where few were seen.
  func row(_ row: RowID, at place: UInt8) -> Row? {
    guard sights.count <= Self.fewSights else { return nil }
    return sights.last { $0.row == row && $0.place == place }?.new
  }

  /// So many are looked through.
  private static let fewSights = 16

  /// Forgets what was seen.
  func clear() {
    sights.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  private static func row(_ view: RowView?, _ shape: RowShape) -> Row? {
    guard let view, view.isPresent else { return nil }
    return Row(view, shape)
  }
}
