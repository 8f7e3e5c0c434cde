import EventStore
package import TestSupport

/// The likelihoods of a to-do list's events.
package struct TodoMix: ToyMix {
  /// The number of ids of tasks: with few, they collide.
  var idCount = 24
  /// The likelihood of each kind.
  var weights: [(element: TodoHappening.Kind, weight: Int)] = Self.usual
  /// One value in so many is `nil`.
  var nilEvery = 5
  /// One kind in so many is unknown.
  var unknownEvery = 40
  /// The values to choose from.
  var stock = TodoStock.standard

  /// The usual mix.
  package init() {}

  private static let usual: [(element: TodoHappening.Kind, weight: Int)] = [
    (.put, 40), (.finish, 10), (.delete, 6), (.tag, 8), (.untag, 6), (.move, 8), (.rename, 3),
    (.name, 3), (.finishAll, 1), (.number, 1), (.deleteList, 1), (.spoil, 2),
    (.finishEverything, 1), (.rate, 2),
  ]

  package static func random(using generator: inout SeededGenerator) -> TodoMix {
    var mix = TodoMix()
    mix.idCount = generator.one(of: [2, 6, 12, 24, 60])
    mix.nilEvery = generator.one(of: [2, 5, 20])
    mix.unknownEvery = generator.one(of: [4, 40, 400])
    for index in mix.weights.indices where generator.onceIn(3) {
      mix.weights[index].weight *= generator.one(of: [0, 3, 8])
    }
    mix.weights[0].weight += 1
    mix.stock = mix.stock.shortened(using: &generator)
    return mix
  }

  package func happening(using generator: inout SeededGenerator) -> TodoHappening {
    if generator.onceIn(unknownEvery) { return .unknown(generator.one(of: [0, 500, 60_000])) }
    let id = id(using: &generator)
    let list = generator.one(of: stock.lists)
    switch generator.one(of: weights) {
    case .put: return .put(id, patch(using: &generator))
    case .finish: return .finish(id, !generator.onceIn(3))
    case .delete: return .delete(id)
    case .tag: return .tag(id, generator.one(of: stock.tags))
    case .untag: return .untag(id, generator.one(of: stock.tags))
    case .move: return .move(id, to: maybe(list, using: &generator))
    case .rename: return .rename(id, to: self.id(using: &generator))
    case .name: return .name(list, maybe(generator.one(of: stock.titles), using: &generator))
    case .finishAll: return .finishAll(list)
    case .number: return .number(list)
    case .finishEverything: return .finishEverything(but: id)
    case .rate:
      let view = generator.one(of: TodoViews.ungroupedNames)
      return .rate(
        view: view, maybe(generator.one(of: stock.priorities), using: &generator))
    case .deleteList: return .deleteList(list)
    case .spoil: return .spoil(id)
    }
  }

  package func id(using generator: inout SeededGenerator) -> String {
    let number = generator.low(below: idCount)
    if number == 1, generator.onceIn(20) { return "" }
    return TodoStock.id(number)
  }

  private func maybe<Value>(_ value: Value, using generator: inout SeededGenerator) -> Value? {
    generator.onceIn(nilEvery) ? nil : value
  }

  private func patch(using generator: inout SeededGenerator) -> TodoPatch {
    var patch = TodoPatch()
    patch.title = self.patch(stock.titles, using: &generator)
    patch.due = self.patch(stock.dues, using: &generator)
    patch.isDone = generator.onceIn(3) ? self.patch([true, false], using: &generator) : .keep
    patch.priority = self.patch(stock.priorities, using: &generator)
    let tags = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      generator.one(of: stock.tags)
    }
    patch.tags = generator.onceIn(2) ? self.patch([tags], using: &generator) : .keep
    patch.list = generator.onceIn(2) ? self.patch(stock.lists, using: &generator) : .keep
    patch.note = generator.onceIn(4) ? self.patch(stock.titles, using: &generator) : .keep
    if generator.onceIn(2000) { patch.title = .set(TodoStock.tooLong) }
    return patch
  }

  private func patch<Value>(
    _ values: [Value], using generator: inout SeededGenerator
  ) -> Patch<Value> {
    if generator.onceIn(3) { return .keep }
    return generator.onceIn(nilEvery) ? .clear : .set(generator.one(of: values))
  }
}

/// The values of tasks and lists: few, so that many are equal, and some that are hard to sort.
struct TodoStock: Sendable {
  var titles: [String]
  var dues: [Timestamp]
  var priorities: [Int]
  var tags: [String]
  var lists: [String]

  static let standard = TodoStock(
    titles: [
      "", "a", "ab", "b", "abcdefgh", "abcdefghi", "abcdefghj", "abcdefg\u{E9}", "\u{E9}",
      "e\u{301}", "e", "ez", "f", "Z", "\u{C4}", "\u{D55C}", "\u{1F600}", "\u{0}", "\u{1}", "\u{2}",
      "a\u{0}", "a\u{0}b", "\u{212A}", "K", "\u{301}", "\u{FB01}",
      "a longer title that is behind its first words like another one",
      "a longer title that is behind its first words like yet another",
    ],
    dues: [-1, 0, 1, 1000, 1001, .min, .max].map(Timestamp.init(rawValue:)),
    priorities: [0, 1, 2, -1, .min, .max],
    tags: [
      "inbox", "home", "work", "", "\u{E9}", "e\u{301}", String(repeating: "long", count: 40),
    ],
    lists: ["L1", "L2", "L3", "\u{C4}rzte"])

  /// Returns the id of that number: some are prefixes of others, and some not ASCII.
  static func id(_ number: Int) -> String {
    switch number % 4 {
    case 0: "t\(number)"
    case 1: "task with a rather long id \(number)"
    case 2: "\u{FC}\(number)"
    default: "t\(number / 2)\(number)x"
    }
  }

  /// A title that fits into no row.
  static let tooLong = String(repeating: "long ", count: 15_000)

  /// Returns a stock with fewer values.
  func shortened(using generator: inout SeededGenerator) -> TodoStock {
    TodoStock(
      titles: Self.some(titles, &generator), dues: Self.some(dues, &generator),
      priorities: Self.some(priorities, &generator), tags: Self.some(tags, &generator),
      lists: Self.some(lists, &generator))
  }

  private static func some<Value>(
    _ values: [Value], _ generator: inout SeededGenerator
  ) -> [Value] {
    let count = Int.random(in: 1...values.count, using: &generator)
    return Array(values.shuffled(using: &generator).prefix(count))
  }
}
