import EventStore
import TestSupport
import Testing

@Suite struct ListDeltaTests {
  private let from = Position.samples[1]
  private let to = Position.samples[2]

  /// One delta serves all windows of the list, in whatever order they ask.
  @Test func windows_shareWhatIsKnown() {
    for seed in 0..<UInt64(Campaign.size(200, long: 20_000)) {
      var random = SeededGenerator(seed: seed)
      let old = PebbleList(idCount: 24, using: &random)
      var new = old
      for _ in 0..<Int.random(in: 0...30, using: &random) { new.step(using: &random) }
      var source = PebbleSource(new, since: old)
      let net = new.net(since: old, using: &random)
      var shared = ListDelta(net, in: source)
      for _ in 0..<6 {
        let lower = Int.random(in: 0...20, using: &random)
        let window = ListWindow(lowerBound: lower, upperBound: lower + Int(random.next() % 10))
        var alone = ListDelta(net, in: source)
        let expected = alone.changeSet(in: window, from: from, to: to, reading: &source)
        let change = shared.changeSet(in: window, from: from, to: to, reading: &source)
        #expect(change == expected, "seed \(seed)")
      }
    }
  }

  @Test func rowsFarBehindTheWindow_costNoRank() throws {
    let order = (0..<60).map { PebbleKey(weight: $0, id: $0) }
    var source = FixedSource(order: order)
    let net = (10..<60).map { id in
      ListDelta.Entry(
        row: RowID(rawValue: UInt32(id)), old: order[id], new: order[id],
        difference: Pebble.differences[id][1][0])
    }
    var delta = ListDelta(net, in: source)
    let window = ListWindow(upperBound: 5)
    let change = try delta.changeSet(in: window, from: from, to: to, reading: &source)
    #expect(change == nil)
    #expect(source.ranks == 1)
    let all = try delta.changeSet(in: .all, from: from, to: to, reading: &source)
    #expect(all?.edits.updates.count == 50)
    #expect(source.ranks == 51, "a row that stays where it is has one rank")
  }

  @Test func totalOutsideOfTheWindow_isTold() throws {
    let order = (0..<20).map { PebbleKey(weight: $0, id: $0) }
    let net = [ListDelta.Entry(row: RowID(rawValue: 15), old: nil, new: order[15])]
    var source = FixedSource(order: order)
    for hasTotal in [false, true] {
      var delta = ListDelta(net, in: source)
      let window = ListWindow(upperBound: 5, hasTotal: hasTotal)
      let change = try delta.changeSet(in: window, from: from, to: to, reading: &source)
      guard hasTotal else {
        #expect(change == nil)
        continue
      }
      let told = try #require(change)
      #expect(told.edits.isEmpty)
      #expect([told.oldCount, told.newCount, told.oldTotal, told.newTotal] == [5, 5, 19, 20])
    }
  }

  @Test func failure_passesThrough_andTheDeltaIsStillOfUse() throws {
    let order = (0..<9).map { PebbleKey(weight: $0, id: $0) }
    let net = [3, 5].map {
      ListDelta.Entry(row: RowID(rawValue: $0), old: nil, new: order[Int($0)])
    }
    var source = FixedSource(order: order)
    var delta = ListDelta(net, in: source)
    for readsLeft in 0..<3 {
      source.readsLeft = readsLeft
      #expect(throws: FixedSource.Failure.self) {
        try delta.changeSet(in: .all, from: from, to: to, reading: &source)
      }
    }
    source.readsLeft = .max
    let change = try delta.changeSet(in: .all, from: from, to: to, reading: &source)
    #expect(change?.edits.insertions.map(\.index) == [3, 5])
  }
}

/// Pebbles in a fixed order that allow a limited number of reads; noncopyable, as loans are.
private struct FixedSource: ListSource, ~Copyable {
  struct Failure: Error {}

  let order: [PebbleKey]
  var readsLeft = Int.max
  private(set) var ranks = 0

  init(order: [PebbleKey]) { self.order = order }

  func words(of key: PebbleKey) -> SortWords { key.words }
  func comesBefore(_ a: PebbleKey, _ b: PebbleKey) -> Bool { a < b }
  func count() -> Int { order.count }

  mutating func rank(of key: PebbleKey) throws(Failure) -> Int {
    try read()
    ranks += 1
    return order.firstIndex { $0 >= key } ?? order.count
  }

  mutating func row(at index: Int) throws(Failure) -> Row {
    try read()
    return Pebble.rows[order[index].id][0]
  }

  mutating func row(_ id: RowID) throws(Failure) -> Row {
    try read()
    return Pebble.rows[Int(id.rawValue)][0]
  }

  mutating func trace(of id: RowID) throws(Failure) -> RowTrace {
    try read()
    return Pebble.traces[Int(id.rawValue)][0]
  }

  private mutating func read() throws(Failure) {
    guard readsLeft > 0 else { throw Failure() }
    readsLeft -= 1
  }
}
