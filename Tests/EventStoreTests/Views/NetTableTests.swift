import EventStore
import TestSupport
import Testing

/// The nets of a batch, compared with a list that is searched from its beginning.
@Suite struct NetTableTests {
  private struct Name: Hashable {
    let view: UInt16
    let group: UInt64
    let row: RowID

    init(_ view: UInt16, _ group: UInt64, _ row: RowID) {
      (self.view, self.group, self.row) = (view, group, row)
    }

    init(using random: inout SeededGenerator) {
      view = .random(in: 0..<3, using: &random)
      group = .random(in: 0..<2, using: &random)
      row = RowID(rawValue: .random(in: 0..<200, using: &random))
    }
  }

  private struct Change: Equatable {
    let name: Name
    let old: Range<Int>
    var indexed: Range<Int>
    var new: Range<Int>
  }

  private struct Model {
    var changes: [Change] = []
    var settledCount = 0
    var again: [Int] = []

    mutating func add(_ name: Name, from old: Range<Int>, to new: Range<Int>) {
      guard let place = changes.firstIndex(where: { $0.name == name }) else {
        return changes.append(Change(name: name, old: old, indexed: old, new: new))
      }
      changes[place].new = new
      if place < settledCount, !again.contains(place) { again.append(place) }
    }

    mutating func settle() {
      for place in changes.indices { changes[place].indexed = changes[place].new }
      (settledCount, again) = (changes.count, [])
    }

    mutating func settle(view: UInt16) {
      for place in changes.indices where changes[place].name.view == view {
        changes[place].indexed = changes[place].new
      }
    }

    mutating func remove(view: UInt16) -> Bool {
      guard changes.contains(where: { $0.name.view == view }) else { return false }
      changes.removeAll { $0.name.view == view }
      (settledCount, again) = (0, [])
      return true
    }
  }

  @Test(arguments: 0..<UInt64(Campaign.size(20, long: 2_000)))
  func table_isList(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (table, model) = (NetTable(), Model())
    // The largest batches make the table grow twice, and small ones come after large ones.
    let emptyings = Int.random(in: 1..<16, using: &random)
    for _ in 0..<1_000 {
      switch Int.random(in: 0..<400, using: &random) {
      case ..<emptyings:
        table.removeAll()
        model = Model()
      case 16:
        let view = UInt16.random(in: 0..<3, using: &random)
        #expect(table.remove(view: view) == model.remove(view: view), "seed \(seed)")
      case 17..<25:
        table.settle()
        model.settle()
      case 25..<30:
        let view = UInt16.random(in: 0..<3, using: &random)
        table.settle { $0 == view }
        model.settle(view: view)
      case let number:
        let name = Name(using: &random)
        let keys = (0..<number, number..<2 * number)
        table.add(name.view, name.group, name.row, from: keys.0, to: keys.1)
        model.add(name, from: keys.0, to: keys.1)
        continue
      }
      expect(table, model, "seed \(seed)")
    }
    expect(table, model, "seed \(seed)")
  }

  private func expect(_ table: NetTable, _ model: Model, _ message: Comment) {
    let changes = table.nets.map { net in
      Change(
        name: Name(net.view, net.group, net.row), old: net.old, indexed: net.indexed, new: net.new)
    }
    #expect(changes == model.changes, message)
    #expect(table.fresh == model.settledCount..<model.changes.count, message)
    #expect(table.again == model.again, message)
    #expect(table.nets.indices.filter { table.nets[$0].isAgain } == model.again.sorted(), message)
    let places = Dictionary(uniqueKeysWithValues: zip(model.changes.map(\.name), 0...))
    let wrong = names.filter { table.place($0.view, $0.group, $0.row) != places[$0] }
    #expect(wrong.isEmpty, message)
  }

  /// Every name that a test may use.
  private let names = (0..<UInt16(3)).flatMap { view in
    (0..<UInt64(2)).flatMap { group in
      (0..<UInt32(200)).map { Name(view, group, RowID(rawValue: $0)) }
    }
  }
}
