import LMDB

/// A sum of entries: first those of lists, then those of rows.
struct JournalSum {
  private var indices = PlaceTable()
  private var rows: [Row] = []
  private var places: [Place] = []
  private var keys: [UInt8] = []
  private var digests: [(row: Int, field: Int, digest: UInt64)] = []

  private struct Row {
    var id: UInt32
    var firstPlace: Int
    var changed: UInt64 = 0
  }

  /// The changes of a row in one list.
  private struct Place {
    var group: UInt64
    var row: Int
    var old: Range<Int>?
    var new: Range<Int>?
    var next: Int?
  }

  /// Whether no row has changes of interest.
  var isEmpty: Bool { rows.isEmpty }

  /// Adds the change of a row's place in a list by an event.
  mutating func add(_ entry: ListEntry) {
    let place = place(entry)
    guard entry.hasNew else { return places[place].new = nil }
    let start = keys.count
    entry.appendNewKey(to: &keys)
    places[place].new = start..<keys.count
  }

  /// Adds the change of a row by an event.
  mutating func add(_ entry: RowEntry) {
    guard let index = indices.place(of: entry.row).map(Int.init) else { return }
    let fresh = entry.changed & ~rows[index].changed
    rows[index].changed |= fresh
    for field in FieldNumbers(fresh) {
      digests.append((index, field, entry.digest(of: field)))
    }
  }

  /// Returns the place of the entry's row in its list; a new place begins with the entry's old key.
  private mutating func place(_ entry: ListEntry) -> Int {
    let index = indices.place(of: entry.row).map(Int.init)
    var next = index.map { rows[$0].firstPlace }
    while let place = next {
      if places[place].group == entry.group { return place }
      next = places[place].next
    }
    let row = index ?? addRow(entry.row)
    let start = keys.count
    entry.appendOldKey(to: &keys)
    let old = entry.hasOld ? start..<keys.count : nil
    let following = index.map { rows[$0].firstPlace }
    places.append(Place(group: entry.group, row: row, old: old, new: nil, next: following))
    rows[row].firstPlace = places.count - 1
    return places.count - 1
  }

  private mutating func addRow(_ id: UInt32) -> Int {
    indices.set(id, UInt32(rows.count))
    rows.append(Row(id: id, firstPlace: 0))
    return rows.count - 1
  }

  /// The net of all added entries.
  var net: JournalNet {
    let sorted = digests.sorted { ($0.row, $0.field) < ($1.row, $1.field) }
    var (details, next) = ([JournalNet.Details](), 0)
    for row in rows {
      details.append(JournalNet.Details(changed: row.changed, digests: next))
      next += row.changed.nonzeroBitCount
    }
    let changes = places.filter { $0.old != nil || $0.new != nil }.map { place in
      JournalNet.Change(
        group: place.group, row: RowID(rawValue: rows[place.row].id), old: place.old,
        new: place.new, details: place.row)
    }
    let ordered = changes.sorted { ($0.group, $0.row.rawValue) < ($1.group, $1.row.rawValue) }
    return JournalNet(ordered, details, sorted.map(\.digest), keys)
  }
}
