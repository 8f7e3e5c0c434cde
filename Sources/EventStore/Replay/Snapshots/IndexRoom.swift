/// Which indexes are brought up to date with which snapshot, as far as there is room for them.
///
/// Whoever asks for a list at a snapshot pays for the rows behind which its index was left. If an
/// index that takes `b` bytes at the end is written each time the log has grown by the share `d`,
/// all of it takes `b / 2d`, and being `d / 2` behind costs a share of its `c` rows and entries.
/// The cost of all indexes together is least, in a room for all, where each `d` is as the root of
/// `b / c`; how large it is follows from the room that is left.
struct IndexRoom {
  private let bytesMax: Int
  private let floor: RecordNumber
  /// How many records there are.
  private let all: Double
  private var indexes: [Index]
  /// The bytes of indexes that were written so far.
  private(set) var bytes = 0
  /// Those with the last snapshot.
  private(set) var lastBytes = 0

  /// How an index was written last.
  private struct Index {
    /// The share of the records that there were.
    var share = 0.0
    /// The bytes that it took.
    var bytes = 0.0
    /// Its entries and the rows of its collection, but one at least.
    var count = 1.0

    /// The bytes that it would take with all records: most change everywhere, and become larger.
    var bytesAtEnd: Double { share > 0 ? bytes / share : 0 }

    /// What it would cost to bring it up to date with all records, were it empty.
    var costAtEnd: Double { share > 0 ? count / share : 1 }
  }

  /// The part of the room that is given out: what is to come is guessed from what was.
  private static let part = 0.97

  /// The room for indexes beside all else that is to take so many bytes at most.
  init(_ bytesMax: Int, floor: RecordNumber, last: RecordNumber, viewCount: Int) {
    (self.bytesMax, self.floor) = (bytesMax, floor)
    all = Double(max(floor.distance(to: last), 1))
    indexes = Array(repeating: Index(), count: viewCount)
  }

  /// The views whose indexes are to be brought up to date at a record, where everything takes so
  /// many bytes.
  func choose(at number: RecordNumber, _ size: Int) -> [Int] {
    let share = share(number)
    let others = Double(size - bytes) / share
    var room = Double(bytesMax) * Self.part - others - Double(bytes)
    let need = indexes.map { ($0.bytesAtEnd * $0.costAtEnd).squareRoot() }.reduce(0, +)
    let distance = need * (1 - share * share) / (2 * max(room, 1))
    return indexes.indices.filter { view in
      let (index, bytes) = (indexes[view], indexes[view].bytesAtEnd * share)
      let due = distance * (index.bytesAtEnd / index.costAtEnd).squareRoot()
      guard share - index.share >= due, bytes <= room else { return false }
      room -= bytes
      return true
    }
  }

  private func share(_ number: RecordNumber) -> Double {
    Double(max(floor.distance(to: number), 1)) / all
  }

  /// Notes what is about to be committed.
  mutating func note(_ workspace: Workspace) {
    let share = share(workspace.applied.number)
    lastBytes = 0
    for (place, view) in workspace.state.lists.kept.enumerated() where view.isBuilt {
      let rows = workspace.state.shelves[Int(view.collection)].table.totals.lastID
      indexes[place] = Index(
        share: share, bytes: Double(view.dirtyBytes),
        count: max(1, Double(view.index.count) + Double(rows)))
      lastBytes += view.dirtyBytes
    }
    bytes += lastBytes
  }
}
