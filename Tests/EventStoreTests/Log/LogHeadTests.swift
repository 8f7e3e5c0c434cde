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

  @Test func activity_isThereOnce_afterAWriteThatFailed() {
    let head = LogHead()
    #expect(throws: Failure.self) {
      try head.writing { () throws(Failure) in throw Failure() }
    }
    #expect(head.takeActivity())
    #expect(!head.takeActivity())
  }

  private struct Failure: Error {}
}
