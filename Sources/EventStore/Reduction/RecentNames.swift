/// The names found and created last, kept to avoid repeated lookups.
struct RecentNames {
  /// A name's hash and the row it belongs to.
  typealias Named = (hash: UInt64, row: RowHandle)

  /// The last of rows that were found one after another.
  private struct RunEnd {
    var row: UInt32 = 0
    /// Whether the row before it was found just before.
    var isOfRun = false
  }

  /// The most names of the present event held back before they are interned even though it may be
  /// refused.
  private static let createdMax = 32

  /// The names of rows that the present event created, not interned yet.
  private(set) var created: [Named] = []
  /// The names found last, each at the place that its hash gives.
  private var found: [Named?] = Array(repeating: nil, count: foundMax)
  /// The row lent last by its name: most often it is lent next, and no name found in between may
  /// take its place.
  private(set) var lent: Named?
  /// The last lookup that found no name; most often that name is created next.
  private var missed: (hash: UInt64, place: UInt8)?

  /// The last row found in each collection.
  private var ends = Array(repeating: RunEnd(), count: Int(UInt8.max) + 1)

  /// The number of found names that are kept: an event seldom concerns more.
  private static let foundMax = 8

  /// Whether enough names are held back to intern them.
  var isFull: Bool { created.count > Self.createdMax }

  /// Returns whether no name of a collection is known to have a hash.
  @inline(__always)
  func isMissed(_ hash: UInt64, _ place: UInt8) -> Bool {
    guard let missed else { return false }
    return missed.hash == hash && missed.place == place
  }

  /// Notes that no name of a collection has a hash.
  mutating func noteMissed(_ hash: UInt64, _ place: UInt8) { missed = (hash, place) }

  /// Returns the row of a collection whose name was found by a hash, if it is still known.
  ///
  /// The row may have been taken back since, so that it has another name or none.
  @inline(__always)
  func found(_ hash: UInt64, _ place: UInt8) -> RowHandle? {
    guard let known = found[Self.slot(of: hash)], known.hash == hash,
      known.row.collection == place
    else { return nil }
    return known.row
  }

  /// Notes that a name was found by its hash.
  @inline(__always)
  mutating func noteFound(_ hash: UInt64, _ row: RowHandle) {
    found[Self.slot(of: hash)] = (hash, row)
    let (place, number) = (Int(row.collection), row.row.rawValue)
    ends[place] = RunEnd(row: number, isOfRun: number == ends[place].row &+ 1)
  }

  /// The row of a collection that is found next if rows continue to be found in the order of their
  /// creation, as when a server confirms what was sent to it; `nil` if they were not.
  @inline(__always)
  func successor(_ place: UInt8) -> RowHandle? {
    let end = ends[Int(place)]
    guard end.isOfRun, end.row < .max else { return nil }
    return RowHandle(collection: place, row: RowID(rawValue: end.row + 1))
  }

  private static func slot(of hash: UInt64) -> Int { Int(hash % UInt64(foundMax)) }

  /// Notes that the present event created a row.
  mutating func noteCreated(_ hash: UInt64, _ row: RowHandle) {
    missed = nil
    created.append((hash, row))
  }

  /// Returns the last row of a collection with a hash among the first `next` rows that the present
  /// event created, and sets `next` to the number of rows created before it.
  @inline(__always)
  func lastCreated(_ hash: UInt64, _ place: UInt8, before next: inout Int) -> RowHandle? {
    while next > 0 {
      next -= 1
      if created[next].hash == hash, created[next].row.collection == place {
        return created[next].row
      }
    }
    return nil
  }

  /// Notes that a row was lent.
  mutating func noteLent(_ hash: UInt64, _ row: RowHandle) { lent = (hash, row) }

  /// Forgets the created names, which are either interned or rolled back.
  mutating func forgetCreated() { created.removeAll(keepingCapacity: true) }
}
