import EventStore
import TestSupport
import Testing

/// The JSON in which people and tools see records.
@Suite struct RecordJSONTests {
  private let bare = RecordHeader.of(kind: 3)

  private func json(_ header: RecordHeader, _ payload: [UInt8]) -> String {
    Record(number: 7, header: header, payload: payload).json { $0 == [1] ? "text" : nil }
  }

  @Test func bareRecord() {
    #expect(
      json(bare, []) == """
        {"number":7,"kind":3,"version":1,"origin":"fact","recordedAt":"2023-11-14T22:13:20.000Z",\
        "payload":{}}
        """)
  }

  @Test func fullRecord() {
    var header = bare
    header.origin = .intent
    header.isBaseline = true
    header.login = Login(account: 5, epoch: 6)
    header.cause = 2
    header.exchange = 1
    header.entity = Fingerprint(rawValue: 0xAB)
    let payload = PayloadWriter.bytes { writer in
      writer.put(1, "Lunch?")
      writer.put(2, -1)
    }
    #expect(
      json(header, payload) == """
        {"number":7,"kind":3,"version":1,"origin":"intent",\
        "recordedAt":"2023-11-14T22:13:20.000Z","login":{"account":5,"epoch":6},"cause":2,\
        "exchange":1,"entity":"00000000000000ab","flags":["baseline"],\
        "payload":{"text":"Lunch?","2":-1}}
        """)
  }

  @Test func payloadThatIsNone() {
    #expect(json(bare, [0xFF, 0xFE]).hasSuffix(#""payload":{"base64":"//4="}}"#))
    var erased = bare
    erased.isErased = true
    #expect(json(erased, []).hasSuffix(#""flags":["erased"],"payload":null}"#))
  }
}

extension RecordHeader {
  /// A header as short as possible, recorded on 2023-11-14.
  static func of(kind: UInt16) -> RecordHeader {
    RecordHeader(
      kind: EventKind(rawValue: kind), version: 1,
      recordedAt: Timestamp(rawValue: 1_700_000_000_000), payloadCount: 0, payloadChecksum: 0)
  }
}
