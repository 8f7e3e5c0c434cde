/// Observes what each event does to rows, for callers that walk through a log.
package final class EventWitness {
  /// The change to a row by the events since ``clear()``.
  package struct Sight {
    let place: UInt8
    let row: RowID
    let old: Row?
    fileprivate(set) var new: Row?
  }

  /// How much to note about the rows that events change.
  package enum Detail {
    /// What each event did.
    case each
    /// The combined change to each row.
    case net
    /// Only which rows were touched.
    case names
  }

  /// The changes seen, per event or per row.
  package private(set) var sights: [Sight] = []
  /// The index of each row's sight, if each row has only one.
  private var places: [RowHandle: Int] = [:]
  /// The touched rows, if only those are noted.
  private(set) var handles: Set<RowHandle> = []
  /// The rows to observe; all rows if `nil`.
  private let isWanted: ((UInt8, RowID) -> Bool)?
  private let detail: Detail

  /// Creates a witness of the wanted rows, or of all rows.
  package init(_ detail: Detail = .each, of isWanted: ((UInt8, RowID) -> Bool)? = nil) {
    (self.detail, self.isWanted) = (detail, isWanted)
  }

  /// Notes what the present event did to a row; ignores changes that only reducers see.
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

  /// Returns the latest value seen of a row, if few changes were seen.
  func row(_ row: RowID, at place: UInt8) -> Row? {
    guard sights.count <= Self.fewSights else { return nil }
    return sights.last { $0.row == row && $0.place == place }?.new
  }

  /// The most sights that are searched.
  private static let fewSights = 16

  /// Forgets the sights.
  func clear() {
    sights.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  private static func row(_ view: RowView?, _ shape: RowShape) -> Row? {
    guard let view, view.isPresent else { return nil }
    return Row(view, shape)
  }
}
