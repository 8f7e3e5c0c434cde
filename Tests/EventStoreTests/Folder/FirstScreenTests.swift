import EventStore
import LMDB
import TestSupport
import Testing

/// What is shown before the views are available.
@Suite struct FirstScreenTests {
  private let log = LogStanding.sample()

  private func window(_ bytes: Int, count: Int = 1) -> FirstScreen.Window {
    FirstScreen.Window(
      rows: [[UInt8](repeating: 7, count: bytes)], count: count,
      applied: LogPoint(number: 5, chain: 6))
  }

  private func key(_ plan: UInt64) -> FirstScreen.Key {
    FirstScreen.Key(view: "unread", plan: plan)
  }

  private var empty: FirstScreen {
    FirstScreen(store: log.store, incarnation: log.incarnation)
  }

  @Test func windows_areFoundByWholeKey() {
    var screen = empty
    screen.set(window(1), for: FirstScreen.Key(view: "a", plan: 1, group: "x"))
    screen.set(window(2), for: FirstScreen.Key(view: "a", plan: 1, group: "y"))
    screen.set(window(3), for: FirstScreen.Key(view: "a", plan: 1, group: "x"))
    #expect(screen.keys.map(\.group) == ["y", "x"])
    #expect(screen[FirstScreen.Key(view: "a", plan: 1, group: "x")] == window(3))
    #expect(screen[FirstScreen.Key(view: "a", plan: 2, group: "x")] == nil)
    #expect(screen[FirstScreen.Key(view: "b", plan: 1, group: "x")] == nil)
    screen.remove(FirstScreen.Key(view: "a", plan: 1, group: "x"))
    #expect(screen.keys.map(\.group) == ["y"])
  }

  @Test func entries_beyondTheLimit_goInTurn() {
    var screen = empty
    for plan in 0..<UInt64(FirstScreen.entriesMax) { screen.set(window(1), for: key(plan)) }
    #expect(screen.keys.count == FirstScreen.entriesMax)
    screen.set(window(1), for: key(0))
    #expect(screen.keys.count == FirstScreen.entriesMax)
    screen.set(window(1), for: key(1000))
    #expect(screen.keys.count == FirstScreen.entriesMax)
    #expect(screen[key(1)] == nil && screen[key(0)] != nil && screen[key(1000)] != nil)
    #expect(FirstScreen(screen.bytes.raw) == screen)
  }

  @Test func bytes_beyondTheLimit_goInTurn() throws {
    var screen = empty
    let third = FirstScreen.bytesMax / 3
    for plan in 0..<4 as Range<UInt64> { screen.set(window(third), for: key(plan)) }
    #expect(screen.keys.map(\.plan) == [2, 3])
    let isSet = screen.set(window(FirstScreen.bytesMax), for: key(3))
    #expect(!isSet)
    #expect(screen.keys.map(\.plan) == [2])
    // Finds the largest row that fits; the entry's fields take the rest.
    var largest = FirstScreen.bytesMax
    while !screen.set(window(largest), for: key(9)) { largest -= 1 }
    #expect(FirstScreen.bytesMax - largest < 64)
    #expect(screen.keys.map(\.plan) == [9])
    let place = try ViewsPlace()
    try place.views.folder.create()
    try screen.write(in: place.views.folder)
    #expect(read(place) == screen)
  }

  private func read(_ place: ViewsPlace, _ log: LogStanding = .sample()) -> FirstScreen {
    FirstScreen.read(
      in: place.views.folder, store: log.store, incarnation: log.incarnation)
  }

  @Test func screen_ofTheFolder_isTheStoresOwn() throws {
    let place = try ViewsPlace()
    #expect(read(place) == empty)
    try place.views.folder.create()
    #expect(read(place) == empty)
    let screen = ViewsFormatTests.screen
    try screen.write(in: place.views.folder)
    #expect(read(place) == screen)
    let other = LogStanding.sample(50)
    #expect(read(place, other) == FirstScreen(store: other.store, incarnation: other.incarnation))
    var copy = log
    copy.incarnation = other.incarnation
    #expect(read(place, copy).isEmpty)
    try empty.write(in: place.views.folder)
    #expect(try !place.views.folder.names().contains(FirstScreen.file))
    try empty.write(in: place.views.folder)
  }

  /// Each entry has its own checksum, so damage to one leaves the others intact.
  @Test func screen_withDamageInOneEntry_keepsTheOthers() {
    var screen = empty
    for plan in 0..<5 as Range<UInt64> { screen.set(window(100), for: key(plan)) }
    var bytes = screen.bytes
    bytes[bytes.count - 150] ^= 1
    #expect(FirstScreen(bytes.raw)?.keys.map(\.plan) == [0, 1, 2, 4])
  }

  @Test func random_screens_comeBack() {
    for seed in 0..<UInt64(Campaign.size(100, long: 3000)) {
      var random = SeededGenerator(seed: seed)
      var screen = empty
      for _ in 0..<Int.random(in: 0..<100, using: &random) {
        let rows = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
          (0..<Int.random(in: 0..<50, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
        }
        let applied = LogPoint(
          number: RecordNumber(rawValue: random.next()), chain: random.next())
        screen.set(
          FirstScreen.Window(rows: rows, count: rows.count, applied: applied),
          for: FirstScreen.Key(
            view: "v", plan: random.next() % 80, group: Bool.random(using: &random) ? "é" : ""))
      }
      #expect(FirstScreen(screen.bytes.raw) == screen, "seed \(seed)")
    }
  }
}
