import EventStore
import TestSupport
import Testing
import Tideline

/// Events go into a log and come out of it.
@Suite struct EventLogTests {
  @Test func events_inALog_areThoseThatWereAppended() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    let login = Login(account: 7, epoch: 2)
    var batch = Batch()
    for event in EventSamples.all {
      let entity = event.entity.map { log.fingerprint(of: $0.text(in: login.account)) }
      batch.add(event, recordedAt: EventSamples.time, login: login, entity: entity)
    }
    let numbers = try await log.append(batch)
    var lines: [String] = []
    for try await record in log.records(from: 1) {
      lines.append(EventCatalog.line(of: record))
      if record.number == numbers.upperBound { break }
    }
    #expect(lines == EventSamples.all.map(\.line))
    await log.close()
  }

  @Test func drafts_haveTheNameOfTheMessagesThatTheyBecome() {
    let names = [ObjectClass.draft, .message, .thread].map { ObjectName($0, "d1").text(in: 7) }
    #expect(names == ["3/7/d1", "3/7/d1", "2/7/d1"])
  }
}
