import EventStore
import LMDB
import Synchronization
import TestSupport
import Testing

/// Sketches made of records before their turn do not change what the records result in.
@Suite struct SketchTests {
  /// What may be sketched of a letter.
  enum Kind: CaseIterable {
    case asItBecomes, ofAnother, ofNone, tooLarge, unreadable, amongOthers, twice
    case tooLargeAtFirst, unreadableAtFirst
  }

  @Test(arguments: Kind.allCases) func sketch_isUsed_whereItIsOfTheRow(_ kind: Kind) throws {
    let letters = Letters { _, sketches throws(Refusal) in
      switch kind {
      case .asItBecomes: try Letters.sketch("a", into: &sketches)
      case .ofAnother: try Letters.sketch("b", into: &sketches)
      case .ofNone: try Letters.sketch("", into: &sketches)
      case .tooLarge:
        try Letters.sketch("a", Letters.tooMuch, into: &sketches)
      case .unreadable: try Letters.sketchHalf("a", into: &sketches)
      case .amongOthers:
        try Letters.sketch("b", into: &sketches)
        try Letters.sketch("a", into: &sketches)
      case .twice:
        try Letters.sketch("a", "another letter", into: &sketches)
        try Letters.sketch("a", into: &sketches)
      case .tooLargeAtFirst:
        try Letters.sketch("a", Letters.tooMuch, into: &sketches)
        try Letters.sketch("a", into: &sketches)
      case .unreadableAtFirst:
        try? Letters.sketchHalf("a", into: &sketches)
        try Letters.sketch("a", into: &sketches)
      }
    }
    var generator = SeededGenerator(seed: 1)
    let store = try MemoryStore(letters, using: &generator)
    // The second event finds the row of the first.
    try store.append(Letters.batch(["a", "a"]))
    #expect(letters.used == [kind == .asItBecomes || kind == .amongOthers])
    #expect(try store.views.rows(of: "all", in: 0...).map { $0[Letters.title] } == [Letters.text])
    try store.checkInvariants()
  }

  /// The log's thread sketches the records that have to wait, and no others.
  @Test func records_areSketched_whileOthersAreReduced() async throws {
    let folder = try TemporaryFolder()
    let letters = Letters { id, sketches throws(Refusal) in
      try Letters.sketch(id, into: &sketches)
    }
    let store = try await Store.open(at: folder.path, reducer: letters)
    try await store.append(Letters.batch((0..<40).map { "first \($0)" }))
    #expect(letters.used.count == 40 && !letters.used.contains(true), "nothing waited")
    letters.hold()
    async let second = store.append(Letters.batch((0..<40).map { "second \($0)" }))
    try await letters.awaitHeld()
    // Once the next page is begun, the first can be used.
    async let third = store.append(Letters.batch((0..<100).map { "third \($0)" }))
    try await letters.awaitSketches(100)
    letters.letGo()
    _ = try await (second, third)
    let (held, behind) = (letters.used[40..<80], letters.used[80...])
    #expect(!held.contains(true) && behind.count == 100 && !behind.prefix(64).contains(false))
    let rows = try store.read { try $0.rows(of: "all", in: 0...) }
    #expect(rows.count == 180 && rows.allSatisfy { $0[Letters.title] == Letters.text })
    try store.checkInvariants()
    await store.close()
  }

  /// Of many records that need not wait, the later ones are sketched while the first are reduced.
  @Test func manyRecords_areSketched_aheadOfTheReducer() async throws {
    let folder = try TemporaryFolder()
    let letters = Letters { id, sketches throws(Refusal) in
      try Letters.sketch(id, into: &sketches)
    }
    let store = try await Store.open(at: folder.path, reducer: letters)
    letters.hold()
    async let letter = store.append(Letters.batch((0..<300).map { "letter \($0)" }))
    try await letters.awaitHeld()
    // The first page may be sketched or passed over.
    try await letters.awaitSketches(300 - 64)
    letters.letGo()
    _ = try await letter
    #expect(!letters.used[64..<192].contains(false))
    let rows = try store.read { try $0.rows(of: "all", in: 0...) }
    #expect(rows.count == 300 && rows.allSatisfy { $0[Letters.title] == Letters.text })
    try store.checkInvariants()
    await store.close()
  }
}

/// A reducer of letters that are sketched in some way, and held up on request.
private struct Letters: Reducer {
  static let title = Field<String>("title", 1)
  static let letters = RowCollection("letters", number: 1, title)
  static let text = "a letter"
  static let tooMuch = String(repeating: "x", count: 65_536)

  private struct Progress {
    var used: [Bool] = []
    var sketchCount = 0
    var (mayGoOn, isHeld) = (true, false)
  }

  let version = 1
  let collections = [letters]
  let views = [ViewDefinition("all", of: letters, orderedBy: [title.ascending])]
  private let progress = Monitor(Progress())
  private let draw: @Sendable (String, inout RowSketches) throws(Refusal) -> Void

  init(_ draw: @escaping @Sendable (String, inout RowSketches) throws(Refusal) -> Void) {
    self.draw = draw
  }

  /// For each added row, whether its sketch was used.
  var used: [Bool] { progress.withLock { $0.used } }

  static func batch(_ ids: [String]) -> Batch {
    var batch = Batch()
    for id in ids {
      batch.add(Event(kind: EventKind(rawValue: 1), recordedAt: Timestamp(rawValue: 0))) {
        $0.put(1, id)
      }
    }
    return batch
  }

  static func sketch(
    _ id: String, _ text: String = text, into sketches: inout RowSketches
  ) throws(Refusal) {
    try sketches.add(id, to: letters) { row throws(Refusal) in row[title] = text }
  }

  static func sketchHalf(_ id: String, into sketches: inout RowSketches) throws(Refusal) {
    try sketches.add(id, to: letters) { row throws(Refusal) in
      row[title] = "half of it"
      throw Refusal("the rest")
    }
  }

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    progress.withLock { $0.isHeld = !$0.mayGoOn }
    progress.notify()
    _ = progress.withLock(when: { $0.mayGoOn }) { _ in }
    let id = Self.id(of: event)
    guard state.find(id, in: Self.letters) == nil else { return }
    let (row, isUsed) = try id.withBytes { id throws(Refusal) in
      try state.row(id, in: Self.letters, sketchedFor: event.number)
    }
    if !isUsed { state[row, Self.title] = Self.text }
    progress.withLock { $0.used.append(isUsed) }
  }

  func sketch(_ event: borrowing RecordView, _ sketches: inout RowSketches) {
    try? draw(Self.id(of: event), &sketches)
    progress.withLock { $0.sketchCount += 1 }
    progress.notify()
  }

  private static func id(of event: borrowing RecordView) -> String {
    guard let fields = try? PayloadFields(decoding: event.payload), case .text(let id)? = fields[1]
    else { return "" }
    return id
  }

  /// Holds up everything that is reduced from now on.
  func hold() { progress.withLock { $0.mayGoOn = false } }

  /// Returns once an event is held up.
  func awaitHeld() async throws { try await wait { $0.isHeld } }

  /// Returns once `count` events were sketched.
  func awaitSketches(_ count: Int) async throws { try await wait { $0.sketchCount >= count } }

  /// Waits without blocking a thread of the pool, as the log's tasks need them.
  private func wait(for isSo: (Progress) -> Bool) async throws {
    while !progress.withLock({ isSo($0) }) { try await Task.sleep(for: .milliseconds(1)) }
  }

  func letGo() {
    progress.withLock { $0.mayGoOn = true }
    progress.notify()
  }
}
