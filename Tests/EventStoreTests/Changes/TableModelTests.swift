import EventStore
import Testing

/// The model rejects what a real table rejects; otherwise its acceptance would prove nothing.
@Suite struct TableModelTests {
  private let rows = (0..<4).map { Pebble.rows[$0][0] }

  private func path(_ item: Int, section: Int = 0) -> RowPath {
    RowPath(section: section, item: item)
  }

  private func refusal(
    deleting: [RowPath] = [], inserting: [RowPath] = [], moving: [(Int, Int)] = [],
    reloading: [RowPath] = [], count: Int = 4
  ) -> TableModel.Refusal? {
    var table = TableModel(rows: rows)
    let moves = moving.map { BatchUpdates.Move(from: path($0.0), to: path($0.1)) }
    let batches = BatchUpdates(
      deletions: deleting, insertions: inserting, moves: moves, reloads: reloading)
    do throws(TableModel.Refusal) {
      try table.perform(batches, rows: Array(repeating: rows[0], count: count))
      return nil
    } catch {
      return error
    }
  }

  @Test func rules() {
    #expect(refusal() == nil)
    #expect(refusal(moving: [(0, 3)], reloading: [path(3)]) == nil)
    #expect(refusal(deleting: [path(1)]) != nil)
    #expect(refusal(deleting: [path(4)], count: 3) == .outOfBounds(path(4)))
    #expect(refusal(inserting: [path(5)], count: 5) == .outOfBounds(path(5)))
    #expect(refusal(reloading: [path(4)]) == .outOfBounds(path(4)))
    #expect(refusal(deleting: [path(1), path(1)], count: 2) == .listedTwice(path(1)))
    #expect(refusal(moving: [(0, 1), (0, 2)]) == .listedTwice(path(0)))
    #expect(refusal(moving: [(0, 1), (2, 1)]) == .listedTwice(path(1)))
    #expect(refusal(deleting: [path(0)], moving: [(0, 1)], count: 3) == .movedAndDeleted(path(0)))
    #expect(refusal(inserting: [path(1)], moving: [(0, 1)], count: 5) == .movedAndInserted(path(1)))
    let other = path(0, section: 1)
    #expect(refusal(deleting: [other], count: 3) == .wrongSection(other))
  }
}
