import EventStore
import Testing

@Suite struct LogHeadTests {
  @Test func activity_isThereDuringAWrite_andOnceAfterACommit() {
    let head = LogHead()
    #expect(!head.takeActivity())
    head.writing {
      #expect(head.takeActivity())
      #expect(head.takeActivity())
      head.committed(RecordNumber(rawValue: 1), in: 1, durable: true)
    }
    #expect(head.takeActivity())
    #expect(!head.takeActivity())
  }
}
