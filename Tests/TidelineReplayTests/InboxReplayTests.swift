import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline
import TidelineReplay

/// Answers about the past of random inboxes, compared with a naive model.
@Suite(.timeLimit(.minutes(5))) struct InboxReplayTests {
  private static let seeds = 0..<UInt64(Campaign.size(4, long: 200))
  private static let count = 250

  /// A log with a random history, and snapshots of it.
  private final class Setting {
    let folder: TemporaryFolder
    let history: InboxHistory
    let log: Log
    let snapshots: SnapshotFolder
    var dice: SeededGenerator
    private var pictures: [RecordNumber: InboxPicture] = [:]

    init(_ seed: UInt64) async throws {
      dice = SeededGenerator(seed: seed)
      history = InboxAuthor.history(seed: seed, count: InboxReplayTests.count)
      folder = try TemporaryFolder()
      log = try await Log.open(at: folder.path)
      try await log.append(history.batch)
      var limits = SnapshotLimits()
      (limits.countMax, limits.spacingMin) = (6, 10)
      let path = folder.path(of: "snapshots")
      try SnapshotFolder.makeOfInboxes(log, at: path, limits: limits)
      snapshots = try SnapshotFolder(ofInboxes: log, at: path)
      var naive = NaiveInbox()
      pictures[0] = naive.picture
      for (index, step) in history.steps.enumerated() {
        let number = RecordNumber(rawValue: UInt64(index + 1))
        naive.apply(number, step.header, step.event)
        pictures[number] = naive.picture
      }
    }

    func picture(_ number: RecordNumber) -> InboxPicture { pictures[number] ?? InboxPicture() }

    func number() -> RecordNumber {
      RecordNumber(rawValue: .random(in: 0...history.last.rawValue, using: &dice))
    }

    func end() async {
      snapshots.close()
      await log.close()
    }
  }

  @Test(arguments: seeds) func at_isAsTheNaiveModelHasIt(_ seed: UInt64) async throws {
    let setting = try await Setting(seed)
    for _ in 0..<6 {
      let number = setting.number()
      let past = try InboxReplay(setting.log, at: number, from: setting.snapshots)
      let anew = try InboxReplay(setting.log, at: number)
      #expect(try past.replay.differences(from: anew.replay).isEmpty, "seed \(seed) at \(number)")
      let picture = setting.picture(number)
      for (id, thread) in picture.threads {
        let found = try past.object(MailThread.self, thread.id, of: thread.account)
        #expect(found?.tagIDs == thread.tagIDs, "seed \(seed), \(id) at \(number)")
        #expect(found?.messageIDs == thread.messageIDs, "seed \(seed), \(id) at \(number)")
      }
      for (id, message) in picture.messages {
        let found = try past.object(Message.self, message.id, of: message.account)
        #expect(found?.isUnread == message.isUnread, "seed \(seed), \(id) at \(number)")
      }
      let open = picture.operations.filter { $0.state != "acknowledged" }
      let outbox = try past.outbox()
      #expect(Set(outbox.map(\.intent)) == Set(open.map(\.intent)), "seed \(seed) at \(number)")
      #expect(outbox.count == open.count, "seed \(seed) at \(number)")
    }
    await setting.end()
  }

  /// The records blamed for a change are those that change it in the naive model.
  @Test(arguments: seeds) func blame_isWhatTheNaiveModelSees(_ seed: UInt64) async throws {
    let setting = try await Setting(seed)
    let end = setting.history.last
    let past = try InboxReplay(setting.log, at: end, from: setting.snapshots)
    for (rowID, thread) in setting.picture(end).threads {
      try past.replay.advance(to: end)
      let blames = try past.blame(thread.id, .thread, field: "tagIDs", of: thread.account)
      let numbers = Set(blames.map(\.testimony.number))
      for number in 1...end.rawValue {
        let number = RecordNumber(rawValue: number)
        let before = setting.picture(number.advanced(by: -1)).threads[rowID]
        let after = setting.picture(number).threads[rowID]
        guard let before, let after else { continue }
        let isBlamed = numbers.contains(number)
        #expect(isBlamed == (before.tagIDs != after.tagIDs), "seed \(seed), \(rowID) by \(number)")
      }
    }
    await setting.end()
  }

  @Test(arguments: seeds) func badge_andWhy_areThoseOfTheNaiveModel(_ seed: UInt64) async throws {
    let setting = try await Setting(seed)
    for _ in 0..<4 {
      let number = setting.number()
      let picture = setting.picture(number)
      let past = try InboxReplay(setting.log, at: number, from: setting.snapshots)
      for account in picture.accounts.values.map(\.account) {
        try past.replay.advance(to: number)
        let unread = picture.threads.values.filter { Self.counts($0) && $0.account == account }
        let badge = try past.badge(of: account, countsRich: false)
        #expect(badge.count == unread.count, "seed \(seed) at \(number)")
        #expect(Set(badge.entries.map(\.change.id)) == Set(unread.map(\.rowID)))
        for entry in badge.entries {
          let record = entry.testimony.number
          let after = setting.picture(record).threads[entry.change.id]
          let before = setting.picture(record.advanced(by: -1)).threads[entry.change.id]
          #expect(after.map(Self.counts) == true && before.map(Self.counts) != true)
        }
        try past.replay.advance(to: number)
        let list = ListName("unread inbox", group: .number(Int64(account)))
        for thread in picture.threads.values where thread.account == account {
          let why = try past.why(thread.id, .thread, in: list, of: account)
          #expect(why.isListed == Self.counts(thread), "seed \(seed): \(why)")
          #expect(why.hiding.isEmpty && why.list.count == unread.count)
          let open = picture.operations.filter {
            $0.objectClass == .thread && $0.account == account && $0.id == thread.id
          }
          let intents = Set(why.operations.map { $0.intent?.number ?? 0 })
          #expect(intents.isSuperset(of: open.map(\.intent)), "seed \(seed) at \(number): \(why)")
        }
      }
    }
    await setting.end()
  }

  private static func counts(_ thread: MailThread) -> Bool {
    thread.tagIDs.isSuperset(of: ["inbox", "unread"])
  }

  /// A record without effect only shifts the numbers of the records after it, and references to
  /// those records follow.
  @Test(arguments: seeds) func silentRecords_changeNothing(_ seed: UInt64) async throws {
    let setting = try await Setting(seed)
    let end = setting.history.last
    let past = try InboxReplay(setting.log, at: 0, from: setting.snapshots)
    let nothing = try past.whatIf([], at: end)
    #expect(nothing.isEmpty)
    let silent = Event(
      kind: EventKind(rawValue: 0x0FFF), recordedAt: Timestamp(rawValue: 1_700_000_000_000))
    for _ in 0..<3 {
      let place = setting.number()
      let found = try past.whatIf([.inject(silent, payload: [], after: place)], at: end)
      // Operations, their timers and their answers are named after records.
      let others = found.rows.filter { ![8, 9, 11, 17, 18, 19].contains($0.collection.number) }
      let lines = others.map { "\($0.collection.name)/\($0.id) \($0.texts)" }
      #expect(lines.isEmpty, "seed \(seed) behind \(place)")
    }
    await setting.end()
  }

  /// Folding the same records always gives the rows the same numbers, by which a search that folds
  /// anew finds the record that made a row.
  @Test(arguments: [1001, 1002] as [UInt64])
  func rows_areNumberedAlike(_ seed: UInt64) async throws {
    let setting = try await Setting(seed)
    let end = setting.history.last
    func numbers() throws -> [String: RowID] {
      let replay = try InboxReplay(setting.log, at: end).replay
      var numbers: [String: RowID] = [:]
      for collection in replay.collections {
        try replay.foldedRows.forEachRow(of: collection) {
          numbers["\(collection.name)/\($1.name)"] = $0
        }
      }
      return numbers
    }
    let first = try numbers()
    for _ in 0..<20 { #expect(try numbers() == first, "seed \(seed)") }
    await setting.end()
  }

  @Test func turning_isForOutcomesAlone() async throws {
    let setting = try await Setting(1)
    let past = try InboxReplay(setting.log, at: 0)
    var turned = 0
    for number in 1...setting.history.last.rawValue {
      let number = RecordNumber(rawValue: number)
      let event = setting.history.steps[Int(number.rawValue) - 1].event
      if event is OperationAcknowledged {
        _ = try past.whatIf([past.turning(number, to: .rejected)], at: setting.history.last)
        turned += 1
      } else if event is MarkRead {
        #expect(throws: InboxReplayError.noOutcome(number)) {
          try past.turning(number, to: .rejected)
        }
      }
    }
    #expect(turned > 0)
    await setting.end()
  }
}
