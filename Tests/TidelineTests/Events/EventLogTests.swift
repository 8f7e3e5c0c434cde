import EventStore
import TestSupport
import Testing
import Tideline

/// Events read from a log equal the events that were appended.
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

  @Test func events_inAReducer_areThoseThatWereAppended() async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Diary())
    var batch = Batch()
    for event in EventSamples.all { batch.add(event, recordedAt: EventSamples.time) }
    let receipt = try store.submit(batch)
    try await receipt.visible()
    let rows = try store.read { try $0.rows(of: "pages", in: 0...) }
    #expect(rows.map { $0[Diary.line] } == EventSamples.all.map { String($0.line.prefix(99)) })
    await store.close()
  }

  @Test func records_thatCantBeRead_sayWhy() {
    var header = RecordHeader(
      kind: MarkRead.kind, version: 1, recordedAt: EventSamples.time, payloadCount: 1,
      payloadChecksum: 0)
    header.isErased = true
    let erased = Record(number: 1, header: header, payload: [])
    header = RecordHeader(
      kind: EventKind(rawValue: 0x0FFF), version: 1, recordedAt: EventSamples.time,
      payloadCount: 0, payloadChecksum: 0)
    let unknown = Record(number: 2, header: header, payload: [])
    let lines = [erased, unknown].map { EventCatalog.line(of: $0) }
    #expect(
      lines == [
        "(Event of kind 0x0401: the payload was erased.)",
        "(Event of kind 0x0FFF: the kind is unknown.)",
      ])
  }

  @Test func drafts_haveTheNameOfTheMessagesThatTheyBecome() {
    let names = [ObjectClass.draft, .message, .thread].map { ObjectName($0, "d1").text(in: 7) }
    #expect(names == ["3/7/d1", "3/7/d1", "2/7/d1"])
  }
}

/// Stores the line of each event, in log order.
private struct Diary: Reducer {
  static let number = Field<Int>("number", 1)
  static let line = Field<String>("line", 2)
  static let pages = RowCollection("pages", number: 1, number, line)

  let version = 1
  let collections = [pages]
  let views = [ViewDefinition("pages", of: pages, orderedBy: [number.ascending])]

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    let number = event.number
    let line = EventCatalog.line(of: event)
    try state.edit(try state.row(number.description, in: Self.pages)) { page in
      page[Self.number] = RecordNumber.zero.distance(to: number)
      page[Self.line] = String(line.prefix(99))
    }
  }
}
