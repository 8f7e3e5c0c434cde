package import EventStore
import Tideline

extension Log {
  /// Replaces the records up to a floor by an inbox's baseline, and returns whether that saved
  /// anything.
  package func compact(throughInbox floor: RecordNumber) async throws -> Bool {
    let replay = try Replay(self, reducer: InboxReducer(), at: floor)
    guard let baseline = try InboxBaseline(replay, at: floor) else { return false }
    var records: [BaselineRecord] = []
    while true {
      let next = try baseline.records(after: records.last?.number ?? .zero)
      guard !next.isEmpty else { break }
      records += next
    }
    let report = try await compact(through: floor) { [records] last in
      Array(records.drop { $0.number <= last }.prefix(100))
    }
    return report.recordCount == UInt64(records.count)
  }
}
