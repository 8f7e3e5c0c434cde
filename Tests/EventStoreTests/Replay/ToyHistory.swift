import EventStore
import Foundation
import LMDB
import TestSupport
import ToyDomains

/// A random history of a toy in a store, beside what the plain model makes of it.
struct ToyHistory<T: Toy> {
  let folder: TemporaryFolder
  let rules: T.Rules
  let panes: [Pane]
  private(set) var store: Store
  var plain: PlainHistory<T.Model>
  var generator: SeededGenerator
  private let mix: T.Mix
  private let options: Store.Options
  private let grouped: Set<String>

  init(seed: UInt64, eventRowsMax: Int? = nil) async throws {
    var options = Store.Options()
    if let eventRowsMax { options.eventRowsMax = eventRowsMax }
    self.options = options
    generator = SeededGenerator(seed: seed)
    mix = T.Mix.random(using: &generator)
    let views = generator.onceIn(3) ? T.views : T.randomViews(using: &generator)
    rules = T.rules(views, version: 1)
    let model = T.Model(views: views)
    plain = PlainHistory(model)
    grouped = Set(rules.views.filter { $0.grouping != nil }.map(\.name))
    panes = model.definitions.map { definition in
      Pane(view: definition.name, group: nil, window: ListWindow(hasTotal: true))
    }
    folder = try TemporaryFolder()
    store = try await Store.open(at: folder.path, reducer: rules, options: options)
  }

  /// Appends a batch of random happenings; returns once the views show it.
  mutating func step(upTo countMax: Int = 12) async throws {
    var happenings: [T.Model.Happening] = []
    for _ in 0..<Int.random(in: 1...countMax, using: &generator) {
      happenings.append(mix.happening(using: &generator))
    }
    plain.append(happenings)
    let numbers = try await store.append(Batch(happenings))
    while try store.read({ $0.position.number }) < numbers.upperBound {
      try await Task.sleep(for: .microseconds(20))
    }
  }

  /// Closes the store and opens it again, with or without its views.
  mutating func reopen(withoutViews: Bool) async throws {
    await store.close()
    if withoutViews { try FileManager.default.removeItem(atPath: folder.path(of: "views")) }
    store = try await Store.open(at: folder.path, reducer: rules, options: options)
  }

  func isGrouped(_ view: String) -> Bool { grouped.contains(view) }

  /// Returns the name of a pane's list.
  func name(of pane: Pane) -> ListName { pane.name(isGrouped: isGrouped(pane.view)) }

  /// Returns all lists that have rows at one of the numbers, whole or a part of each.
  mutating func allPanes(at numbers: [Int]) -> [Pane] {
    panes.flatMap { pane -> [Pane] in
      var groups: [String?] = [nil]
      for number in numbers {
        for group in plain.timeline.model(at: number).groups(of: pane.view)
        where isGrouped(pane.view) && !groups.contains(where: { $0.isSame(as: group) }) {
          groups.append(group)
        }
      }
      return groups.map { Pane(view: pane.view, group: $0, window: pane.window) }
    }
  }
}

extension String? {
  /// Groups are distinguished by their bytes.
  fileprivate func isSame(as other: String?) -> Bool {
    map { Array($0.utf8) } == other.map { Array($0.utf8) }
  }
}

extension StoreSnapshot {
  /// Returns what a pane shows.
  func sight(of pane: Pane, _ list: ListName) throws -> Sight {
    let rows = try rows(of: list, in: pane.window.lowerBound..<pane.window.upperBound)
    return Sight(rows: rows, total: pane.window.hasTotal ? try count(of: list) : nil)
  }
}

extension RecordNumber {
  init(_ number: Int) { self.init(rawValue: UInt64(number)) }
}

extension Log {
  /// Returns a log of so many records that going through them reports progress.
  static func ofThousands(in folder: TemporaryFolder) async throws -> Log {
    let log = try await Log.open(at: folder.path)
    try await log.append(Batch((1...3000).map { TodoHappening.put("\($0 % 7)", TodoPatch()) }))
    return log
  }
}
