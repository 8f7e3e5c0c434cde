import LMDB

/// The ids that events are about to look up, as announced by a reducer: see
/// ``Reducer/expect(_:_:)``.
public struct ExpectedNames: ~Copyable {
  /// The hashes of the ids.
  fileprivate var hashes: [UInt64] = []
  /// The places of their collections among the reducer's.
  fileprivate var places: [UInt8] = []
  /// The row found for each id, or `noRow`.
  fileprivate var rows: [UInt32] = []
  /// The collections of the ids.
  fileprivate var collections = ShelfSet()
  /// The found rows of one collection.
  fileprivate var chosen: [UInt32] = []
  private let directory: [UInt8?]
  private let seed: UInt64

  /// The maximum number of ids noted together; further ones are dropped.
  static let countMax = 512

  init(_ directory: [UInt8?], seed: UInt64) {
    (self.directory, self.seed) = (directory, seed)
  }

  /// The number of ids.
  var count: Int { hashes.count }

  /// Notes that an id, given as UTF-8, is about to be looked up.
  ///
  /// - Complexity: O(1) in the number of rows.
  public mutating func expect(_ id: RawSpan, in collection: RowCollection) {
    guard count < Self.countMax, let place = directory[Int(collection.number)] else { return }
    hashes.append(NameHash.of(id, in: collection.number, seed: seed))
    places.append(place)
    _ = collections.insert(place)
  }

  /// Notes that an id is about to be looked up.
  public mutating func expect(_ id: String, in collection: RowCollection) {
    id.withBytes { expect($0, in: collection) }
  }

  /// Collects the rows that were found in a collection.
  fileprivate mutating func choose(_ place: UInt8) {
    chosen.removeAll(keepingCapacity: true)
    for index in rows.indices where places[index] == place && rows[index] != NameIndex.noRow {
      chosen.append(rows[index])
    }
  }

  /// Forgets all ids.
  fileprivate mutating func removeAll() {
    hashes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    collections.removeAll()
  }
}

extension ReducerState {
  /// Asks a reducer which ids an event will look up.
  @inline(__always)
  mutating func expect(_ record: borrowing RecordView, by reducer: any Reducer) {
    reducer.expect(record, &expected)
  }

  /// Fetches into cache the index entries of the expected names and their rows.
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
