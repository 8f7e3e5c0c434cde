import EventStore
import Foundation
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Random histories reach the cases they are meant for, and their comparison finds faults.
@Suite struct InboxHistoryTests {
  /// A naive model that ignores one kind of event.
  private struct Deaf: FoldedInbox {
    let history: InboxHistory
    let kind: EventKind
    var inbox = NaiveInbox()
    var last = 0

    mutating func picture(at number: RecordNumber) -> InboxPicture {
      for index in last..<Int(number.rawValue) {
        let step = history.steps[index]
        let isHeard = step.header.kind != kind
        inbox.apply(
          RecordNumber(rawValue: UInt64(index + 1)), step.header, isHeard ? step.event : nil)
      }
      last = Int(number.rawValue)
      return inbox.picture
    }
  }

  private static let kinds: [EventKind] = [
    OperationRejected.kind, OperationAcknowledged.kind, ClockTicked.kind, IDReplaced.kind,
    AlertOpened.kind, Withdraw.kind, Exchange.kind, DeleteDraft.kind, LoggedOut.kind,
    MessageOpened.kind, ObjectClass.thread.kind, ConfigurationChanged.kind, SaveTag.kind,
  ]

  @Test(arguments: kinds) func fold_thatIsDeafToAKind_isFoundWithFewRecords(
    _ kind: EventKind
  ) async throws {
    let comparison = InboxComparison { Deaf(history: $0, kind: kind) }
    for seed in 0..<UInt64(20) {
      let history = InboxAuthor.history(seed: seed, count: 200)
      guard let found = try await comparison.difference(in: history) else { continue }
      let small = try await comparison.shrunk(found)
      #expect(small.history.telling.count <= 12, "seed \(seed): \(small)")
      return
    }
    Issue.record("nobody missed \(EventCatalog.name(of: kind) ?? "it")")
  }

  @Test func histories_areTheSameForTheSameSeed() {
    let histories = (0..<2).map { _ in InboxAuthor.history(seed: 7, count: 200) }
    #expect(histories[0].lines == histories[1].lines)
  }

  /// The histories must reach operations in every state, and each way for an operation to end.
  @Test func histories_reachWhatIsDeep() {
    var census = InboxCensus()
    for seed in 0..<UInt64(10) {
      census.look(at: InboxAuthor.history(seed: seed, count: 400))
    }
    #expect(census.missing == [], "\(census.counts)")
  }
}
