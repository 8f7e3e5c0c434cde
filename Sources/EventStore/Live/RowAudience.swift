/// All observers of rows, found by the row that changed: observers that a change doesn't concern
/// cost nothing, however many they are.
struct RowAudience {
  private(set) var lookers: [UInt64: RowLooker] = [:]
  private var byRow: [RowHandle: [UInt64]] = [:]
  /// The number of observers of each collection, most of which have none.
  private var counts = [Int](repeating: 0, count: Int(UInt8.max) + 1)
  /// The observers whose ids are unknown, by the ids' names.
  private var byName: [UInt64: [UInt64]] = [:]

  /// Whether there are no observers.
  var isEmpty: Bool { lookers.isEmpty }

  /// Whether any observer waits for an id to become known.
  var hasNames: Bool { !byName.isEmpty }

  /// Returns whether rows of a collection are observed.
  func watches(_ collection: UInt8) -> Bool { counts[Int(collection)] > 0 }

  /// Returns the observers of a row.
  func watchers(of row: RowHandle) -> [UInt64] { byRow[row] ?? [] }

  /// Returns the observers awaiting an id by that name.
  func watchers(ofName name: UInt64) -> [UInt64] { byName[name] ?? [] }

  /// Adds an observer.
  mutating func insert(_ id: UInt64, _ looker: RowLooker) {
    lookers[id] = looker
    counts[Int(looker.collection)] += 1
    enter(id, looker)
  }

  /// Removes an observer and returns it.
  mutating func remove(_ id: UInt64) -> RowLooker? {
    guard let looker = lookers.removeValue(forKey: id) else { return nil }
    counts[Int(looker.collection)] -= 1
    leave(id, looker)
    return looker
  }

  /// Notes which row an observer's id stands for.
  mutating func move(_ id: UInt64, _ looker: RowLooker, to target: RowHandle?) {
    guard target != looker.target else { return }
    leave(id, looker)
    looker.target = target
    enter(id, looker)
  }

  private mutating func enter(_ id: UInt64, _ looker: RowLooker) {
    if let target = looker.target {
      byRow[target, default: []].append(id)
    } else {
      byName[looker.name, default: []].append(id)
    }
  }

  private mutating func leave(_ id: UInt64, _ looker: RowLooker) {
    if let target = looker.target {
      Self.remove(id, from: &byRow[target])
    } else {
      Self.remove(id, from: &byName[looker.name])
    }
  }

  private static func remove(_ id: UInt64, from ids: inout [UInt64]?) {
    ids?.removeAll { $0 == id }
    if ids?.isEmpty == true { ids = nil }
  }

  /// Traps if an observer can't be found by what it watches.
  func checkInvariants() {
    for (id, looker) in lookers {
      let found = looker.target.map { watchers(of: $0) } ?? watchers(ofName: looker.name)
      precondition(found.contains(id), "a watcher is missing from a row that it watches")
    }
    let count = (byRow.values.map(\.count) + byName.values.map(\.count)).reduce(0, +)
    precondition(count == lookers.count, "a watcher is registered too often")
    var found = counts.map { _ in 0 }
    for looker in lookers.values { found[Int(looker.collection)] += 1 }
    precondition(found == counts, "the watchers of a collection are miscounted")
  }
}
