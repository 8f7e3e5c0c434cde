/// Which indexes are brought up to date with which snapshot, as far as there is room for them.
///
/// Whoever asks for a list at a snapshot pays for the records behind which its index was left; so
/// what is best to write next is what lags behind most for the pages that it takes. The room is
/// given out as the log goes on, as ever larger indexes need it.
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
    /// How many records there were.
    var records = 0.0
    /// The bytes that it took.
    var bytes = 0.0

    /// The bytes that it would take now: most change everywhere, and are larger by now.
    func bytes(at now: Double) -> Double { bytes * now / max(records, 1) }
  }

  /// The part of the room that is given out: what is to come is guessed from what was.
  private static let share = 0.97

  /// The room for indexes beside all else that is to take so many bytes at most.
  init(_ bytesMax: Int, floor: RecordNumber, last: RecordNumber, viewCount: Int) {
    (self.bytesMax, self.floor) = (bytesMax, floor)
    all = Double(max(floor.distance(to: last), 1))
    indexes = Array(repeating: Index(), count: viewCount)
  }

  /// The views whose indexes are to be brought up to date at a record, where everything takes so
  /// many bytes.
  func choose(at number: RecordNumber, _ size: Int) -> [Int] {
    let records = Double(max(floor.distance(to: number), 1))
    var room = room(records, size)
    let worth = indexes.map { index in
      let behind = records - index.records
      return behind * behind / max(index.bytes(at: records), 1)
    }
    var chosen: [Int] = []
    for view in indexes.indices.sorted(by: { worth[$0] > worth[$1] }) {
      let bytes = indexes[view].bytes(at: records)
      // What is worth most is waited for, or else small ones would take all the room.
      guard bytes <= room else { break }
      room -= bytes
      chosen.append(view)
    }
    return chosen
  }

  /// What is left at a record of the room up to there.
  private func room(_ records: Double, _ size: Int) -> Double {
    let others = Double(size - bytes) * all / records
    let share = records / all
    return (Double(bytesMax) * Self.share - others) * share * share.squareRoot() - Double(bytes)
  }

  /// Notes what is about to be committed.
  mutating func note(_ workspace: Workspace) {
    let records = Double(floor.distance(to: workspace.applied.number))
    lastBytes = 0
    for (place, view) in workspace.state.lists.kept.enumerated() where view.isBuilt {
      indexes[place] = Index(records: records, bytes: Double(view.dirtyBytes))
      lastBytes += view.dirtyBytes
    }
    bytes += lastBytes
  }
}
