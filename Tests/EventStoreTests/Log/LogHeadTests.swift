import EventStore
import Testing

@Suite struct LogHeadTests {
  @Test func activity_isThereDuringAWrite_andOnceAfterIt() {
    let head = LogHead()
    #expect(!head.takeActivity())
    head.writing {
      #expect(head.takeActivity())
      #expect(head.takeActivity())
    }
    #expect(head.takeActivity())
    #expect(!head.takeActivity())
  }
}
