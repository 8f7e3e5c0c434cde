/// Chooses which indexes to bring up to date with which snapshot, within the available space.
///
/// Reading a list at a snapshot costs time for the rows that its index lags behind. Suppose an
/// index of final size `b` is written each time the log has grown by the share `d`. All its
/// versions then take `b / 2d`, and lagging by `d / 2` costs that share of its `c` rows and
/// entries. Within a given space, the total cost is least if each `d` is proportional to the square
/// root of `b / c`; the factor follows from the space left.
struct IndexRoom {
  private let bytesMax: Int
  private let floor: RecordNumber
  /// The total number of records.
  private let all: Double
  private var indexes: [Index]
  /// The bytes of indexes written so far.
  private(set) var bytes = 0
  /// The bytes of those with the last snapshot.
  private(set) var lastBytes = 0

  /// An index when it was last written.
  private struct Index {
    /// The share of all records at that time.
    var share = 0.0
    /// The index's size in bytes.
    var bytes = 0.0
    /// The number of its entries and of its collection's rows, at least 1.
    var count = 1.0

    /// The estimated size in bytes with all records; most indexes change throughout and grow.
    var bytesAtEnd: Double { share > 0 ? bytes / share : 0 }

    /// The estimated cost of bringing the index up to date with all records from empty.
    var costAtEnd: Double { share > 0 ? count / share : 1 }
  }

  /// The fraction of the space to use, since future sizes are extrapolated.
  private static let part = 0.97

  /// Creates the space for indexes within a limit for everything together.
  init(_ bytesMax: Int, floor: RecordNumber, last: RecordNumber, viewCount: Int) {
    (self.bytesMax, self.floor) = (bytesMax, floor)
    all = Double(max(floor.distance(to: last), 1))
    indexes = Array(repeating: Index(), count: viewCount)
  }

  /// Returns the views whose indexes to bring up to date at a record, given the total size so far.
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
