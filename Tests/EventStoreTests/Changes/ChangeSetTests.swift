import EventStore
import Foundation
import TestSupport
import Testing

@Suite struct ChangeSetTests {
  private let a = [Pebble.rows[0][0], Pebble.rows[1][1], Pebble.rows[2][2], Pebble.rows[3][3]]

  private func diff(_ old: [Row], _ new: [Row], _ from: Int = 1, _ to: Int = 2) -> ChangeSet {
    FullDiff.changeSet(old, new, from: Position.samples[from], to: Position.samples[to])
  }

  private func reset(_ rows: [Row], _ from: Int = 2, _ to: Int = 3) -> ChangeSet {
    ChangeSet(from: Position.samples[from], to: Position.samples[to], reset: RowList(rows))
  }

  @Test func rowThatLeavesAndReturns_isNothing() {
    let without = Array(a.dropFirst())
    let merged = diff(a, without, 1, 2).merging(diff(without, a, 2, 3))
    #expect(merged.isEmpty)
    #expect(merged == diff(a, a, 1, 3))
    #expect(merged.applying(to: RowList(a)) == RowList(a))
  }

  @Test func rowThatReturnsElsewhereWithOtherContent_movesAndIsUpdated() {
    let without = Array(a.dropFirst())
    let changed = without + [Pebble.rows[0][5]]
    let merged = diff(a, without, 1, 2).merging(diff(without, changed, 2, 3))
    #expect(merged.edits.moves == [ChangeSet.Move(old: 0, new: 3)])
    #expect(merged.edits.updates.map(\.fields) == [[FieldSet(field: 1), FieldSet(field: 4)]])
    #expect(merged.edits.removals.isEmpty && merged.edits.insertions.isEmpty)
  }

  /// One ID has a precomposed accent, the other a combining one.
  @Test func rowsWhoseIDsReadTheSame_areTwo() throws {
    let rows = try ["caf\u{E9}", "cafe\u{301}"].map { try Row($0, in: Pebble.all) { _ in } }
    let merged = diff(rows, [], 1, 2).merging(diff([], rows, 2, 3))
    #expect(merged.isEmpty)
    #expect(Array(merged.applying(to: RowList(rows))) == rows)
    let one = diff([rows[0]], [], 1, 2).merging(diff([], [rows[1]], 2, 3))
    #expect(one.edits.removals.count == 1 && one.edits.insertions.count == 1)
    #expect(try JSONDecoder().decode(ChangeSet.self, from: JSONEncoder().encode(one)) == one)
  }

  @Test func updateThatIsUndone_isNothing() {
    var changed = a
    changed[2] = Pebble.rows[2][7]
    #expect(diff(a, changed, 1, 2).merging(diff(changed, a, 2, 3)).isEmpty)
  }

  @Test func reset_absorbsWhatWasBefore_andTakesInWhatFollows() {
    let b = Array(a.reversed())
    let merged = diff(a, b, 1, 2).merging(reset(a, 2, 3))
    #expect(merged == reset(a, 1, 3))
    #expect(merged.merging(diff(a, b, 3, 4)) == reset(b, 1, 4))
    #expect(reset(a, 2, 3).merging(reset(b, 3, 4)) == reset(b, 2, 4))
    #expect(merged.applying(to: RowList(b)) == RowList(a))
    #expect(merged.isReset && !merged.isEmpty && merged.batchUpdates() == nil)
  }

  /// Rows that were kept may be those of another window.
  @Test func rowsOfAnotherWindow_areTold_unlessTheChangesReplaceThem() {
    let rows = (0..<3).map { Pebble.rows[$0][0] }
    let change = diff(rows, Array(rows.dropLast()))
    #expect(change.fits(RowList(rows)) && !change.fits(RowList(rows.dropLast())))
    #expect(!change.fits([]) && reset(rows, 1, 2).fits([]))
  }

  /// Consecutive changes, resets among them, merge to the same result in any grouping.
  @Test func merging_isAssociative() {
    for seed in 0..<UInt64(Campaign.size(300, long: 30_000)) {
      var random = SeededGenerator(seed: seed)
      var list = PebbleList(idCount: 10, using: &random)
      var changes: [ChangeSet] = []
      for index in 0..<3 {
        let old = list
        for _ in 0..<8 { list.step(using: &random) }
        let (before, after) = (rows(of: old), rows(of: list))
        let isReset = random.next() % 8 == 0
        changes.append(
          isReset ? reset(after, index, index + 1) : diff(before, after, index, index + 1))
      }
      let left = changes[0].merging(changes[1]).merging(changes[2])
      let right = changes[0].merging(changes[1].merging(changes[2]))
      #expect(left == right, "seed \(seed)")
    }
  }

  private func rows(of list: PebbleList) -> [Row] {
    list.order.map { Pebble.rows[$0.id][list.contents[$0.id]] }
  }

  @Test func everyPairOfSmallLists_laws() {
    let lists = Self.smallLists
    for old in lists {
      for new in lists {
        let change = diff(old, new)
        change.checkInvariants()
        #expect(change.applying(to: RowList(old)) == RowList(new))
        #expect(change.isEmpty == (old == new))
        for between in [[], Array(old.reversed()), new + [Pebble.rows[9][0]]] {
          #expect(diff(old, between, 1, 3).merging(diff(between, new, 3, 2)) == change)
        }
      }
    }
  }

  /// All lists of up to three pebbles in any order; one of the pebbles has either of two contents.
  private static let smallLists: [[Row]] = {
    var lists: [[Row]] = [[]]
    for count in 0..<3 {
      for list in lists where list.count == count { lists += extensions(of: list) }
    }
    return lists
  }()

  private static func extensions(of list: [Row]) -> [[Row]] {
    let candidates = [Pebble.rows[0][0], Pebble.rows[0][1], Pebble.rows[1][0], Pebble.rows[2][0]]
    return candidates.filter { row in !list.contains { $0.id == row.id } }.map { list + [$0] }
  }

  @Test func coding_isCompactAndRefusesWhatNoListsHave() throws {
    let change = diff(a, [a[3], Pebble.rows[1][0], Pebble.rows[4][0]])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(change), as: UTF8.self)
    let row = { (row: Row) in String(decoding: try encoder.encode(row), as: UTF8.self) }
    let position = { (index: Int) in
      String(decoding: try encoder.encode(Position.samples[index]), as: UTF8.self)
    }
    let digests = change.edits.removals.map { Self.base64($0.trace.digests) }
    let old = Self.base64(change.edits.updates[0].difference.digests)
    let expected =
      "{\"from\":\(try position(1)),\"insertions\":[[2,\(try row(Pebble.rows[4][0]))]],"
      + "\"moves\":[[3,0]],\"newCount\":3,\"oldCount\":4,"
      + "\"removals\":[[0,\"pebble 0\",\"\(digests[0])\"],[2,\"pebble 2\",\"\(digests[1])\"]],"
      + "\"to\":\(try position(2)),\"updates\":[[1,1,\"\(old)\",\(try row(Pebble.rows[1][0]))]]}"
    #expect(text == expected)
    #expect(try decoded(text) == change)
    let broken = [
      ("\"oldCount\":4", "\"oldCount\":5"), ("[[3,0]]", "[[3,9]]"), ("[[3,0]]", "[[2,0]]"),
      ("[[3,0]]", "[[3,-1]]"), ("[[0,\"peb", "[[2,\"peb"), ("[[1,1,", "[[1,3,"),
      ("[[1,1,", "[[2,1,"), ("[[1,1,", "[[1,0,"), (digests[0], "AAAA"),
      ("\"pebble 2\"", "\"pebble 0\""),
    ]
    for (part, replacement) in broken {
      let text = text.replacingOccurrences(of: part, with: replacement)
      #expect(throws: DecodingError.self, "\(replacement)") { try decoded(text) }
    }
  }

  private func decoded(_ text: String) throws -> ChangeSet {
    try JSONDecoder().decode(ChangeSet.self, from: Data(text.utf8))
  }

  private static func base64(_ digests: [UInt64]) -> String {
    Data(digests.flatMap { digest in (0..<8).map { UInt8(digest >> (8 * $0) & 0xFF) } })
      .base64EncodedString()
  }

  @Test func coding_ofReset() throws {
    let total = ChangeSet(
      from: Position.samples[1], to: Position.samples[2], reset: RowList(a), total: 9)
    for change in [total, reset([]), reset(a)] {
      let data = try JSONEncoder().encode(change)
      #expect(try JSONDecoder().decode(ChangeSet.self, from: data) == change)
    }
  }

  @Test(.defect(.tableViews, 2)) func batches_haveStructureFirst_andReloadsAfter() throws {
    let change = diff(a, [a[3], Pebble.rows[1][0], Pebble.rows[4][0]])
    let batches = try #require(change.batchUpdates(inSection: 2))
    #expect(batches.deletions.map(\.item) == [0, 2])
    #expect(batches.insertions.map(\.item) == [2])
    #expect(batches.moves.map { [$0.from.item, $0.to.item] } == [[3, 0]])
    #expect(batches.reloads == [RowPath(section: 2, item: 1)])
    let pairs = try #require(change.batchUpdates(inSection: 2, movesArePairs: true))
    #expect(pairs.deletions.map(\.item) == [0, 2, 3])
    #expect(pairs.insertions.map(\.item) == [0, 2])
    #expect(pairs.moves.isEmpty)
  }
}
