/// What was found and made by names last, so that nothing is looked for twice.
struct RecentNames {
  /// A name's hash, and the row that it is of.
  typealias Named = (hash: UInt64, row: RowHandle)

  /// How many of the present event's may be held back before they are interned though it may be
  /// refused.
  private static let createdMax = 32

  /// The names of rows that the present event created, which are not interned yet.
  private(set) var created: [Named] = []
  /// What was lent last by its name.
  private(set) var lent: Named?
  /// What was looked up last of those that no name has: most often it is given one next.
  private var missed: (hash: UInt64, place: UInt8)?

  /// Whether so many names are held back that they are to be interned.
  var isFull: Bool { created.count > Self.createdMax }

  /// Whether it is known that no name of a collection's has a hash.
  @inline(__always)
  func isMissed(_ hash: UInt64, _ place: UInt8) -> Bool {
    guard let missed else { return false }
    return missed.hash == hash && missed.place == place
  }

  /// Notes that no name of a collection's has a hash.
  mutating func noteMissed(_ hash: UInt64, _ place: UInt8) { missed = (hash, place) }

  /// Notes that the present event created a row.
  mutating func noteCreated(_ hash: UInt64, _ row: RowHandle) {
    missed = nil
    created.append((hash, row))
  }

  /// The last row of a collection that the present event created under a hash, of the first `next`
  /// that it created; `next` is then how many came before that row.
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

  /// Forgets what was created: its names are interned, or it is not to be.
  mutating func forgetCreated() { created.removeAll(keepingCapacity: true) }
}
