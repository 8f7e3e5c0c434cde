import LMDB

/// The ids that events are going to ask for, as a reducer says ahead of them: see
/// ``Reducer/expect(_:_:)``.
public struct ExpectedNames: ~Copyable {
  /// Their hashes.
  fileprivate var hashes: [UInt64] = []
  /// The places of their collections among the reducer's.
  fileprivate var places: [UInt8] = []
  /// The row of each that was found, or none.
  fileprivate var rows: [UInt32] = []
  /// The collections that they are of.
  fileprivate var collections = ShelfSet()
  /// The rows of one of them.
  fileprivate var chosen: [UInt32] = []
  private let directory: [UInt8?]
  private let seed: UInt64

  /// How many ids are noted together; further ones are left out.
  static let countMax = 512

  init(_ directory: [UInt8?], seed: UInt64) {
    (self.directory, self.seed) = (directory, seed)
  }

  /// How many there are.
  var count: Int { hashes.count }

  /// Notes that an id, given by its UTF-8, is going to be asked for.
  ///
  /// - Complexity: O(1) in the number of rows.
  public mutating func expect(_ id: RawSpan, in collection: RowCollection) {
    guard count < Self.countMax, let place = directory[Int(collection.number)] else { return }
    hashes.append(NameHash.of(id, in: collection.number, seed: seed))
    places.append(place)
    _ = collections.insert(place)
  }

  /// Notes that an id is going to be asked for, as its namesake does.
  public mutating func expect(_ id: String, in collection: RowCollection) {
    id.withBytes { expect($0, in: collection) }
  }

  /// The rows that were found, of a collection.
  fileprivate mutating func choose(_ place: UInt8) {
    chosen.removeAll(keepingCapacity: true)
    for index in rows.indices where places[index] == place && rows[index] != NameIndex.noRow {
      chosen.append(rows[index])
    }
  }

  /// Forgets all of them.
  fileprivate mutating func removeAll() {
    hashes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    collections.removeAll()
  }
}

extension ReducerState {
  /// Asks a reducer which ids an event is going to ask for.
  @inline(__always)
  mutating func expect(_ record: borrowing RecordView, by reducer: any Reducer) {
    reducer.expect(record, &expected)
  }

  /// Has everything fetched from memory by which the expected names are found, and their rows.
  mutating func fetchExpected() {
    guard expected.count > 0 else { return }
    names.findAhead(expected.hashes, &expected.rows)
    expected.collections.forEach { place in
      expected.choose(place)
      shelves[Int(place)].table.fetch(expected.chosen)
    }
    expected.removeAll()
  }
}
