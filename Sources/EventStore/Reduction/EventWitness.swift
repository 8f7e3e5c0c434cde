/// Sees what each event does to rows, for whoever goes through a log and wants to know.
final class EventWitness {
  /// What the events since ``clear()`` did to a row.
  struct Sight {
    let place: UInt8
    let row: RowID
    let old: Row?
    let new: Row?
  }

  /// What was seen, event by event.
  private(set) var sights: [Sight] = []
  /// The rows that something was done to, where it is not noted what.
  private(set) var handles: Set<RowHandle> = []
  /// The rows that are looked at; all of them where there is none.
  private let isWanted: ((UInt8, RowID) -> Bool)?
  /// Whether it is not noted what was done.
  private let isBrief: Bool

  /// A witness of the rows that are wanted, or of all.
  init(isBrief: Bool = false, of isWanted: ((UInt8, RowID) -> Bool)? = nil) {
    (self.isBrief, self.isWanted) = (isBrief, isWanted)
  }

  /// Notes what the present event did to a row; what only reducers see is left out.
  func note(_ place: UInt8, _ row: RowID, _ before: RowView?, _ now: RowView, _ shape: RowShape) {
    if let isWanted, !isWanted(place, row) { return }
    if isBrief {
      handles.insert(RowHandle(collection: place, row: row))
      return
    }
    let isVisible = now.isPresent != RowView.isPresent(before)
    guard isVisible || now.changes(from: before, shape) != 0 else { return }
    sights.append(
      Sight(place: place, row: row, old: Self.row(before, shape), new: Self.row(now, shape)))
  }

  /// What a row was seen to become, where few were seen.
  func row(_ row: RowID, at place: UInt8) -> Row? {
    guard sights.count <= Self.fewSights else { return nil }
    return sights.last { $0.row == row && $0.place == place }?.new
  }

  /// So many are looked through.
  private static let fewSights = 16

  /// Forgets what was seen.
  func clear() { sights.removeAll(keepingCapacity: true) }

  private static func row(_ view: RowView?, _ shape: RowShape) -> Row? {
    guard let view, view.isPresent else { return nil }
    return Row(view, shape)
  }
}
