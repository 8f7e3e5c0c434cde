import EventStore
import Testing

@Suite struct ListNameTests {
  /// Two texts that read the same, but are other bytes, are other groups, and so name other lists.
  @Test func textsThatReadTheSame_nameTwoLists() {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    #expect(composed == decomposed)
    let lists = [composed, decomposed, composed].map {
      ListName("tagged", group: .text($0))
    }
    #expect(lists[0] != lists[1] && lists[0] == lists[2])
    #expect(Set(lists).count == 2)
    #expect(Set(lists.map { ListName("tagged", group: $0.group, scope: 1) }).count == 2)
    #expect(
      ListName("tagged", group: .text("1"))
        != ListName("tagged", group: .number(1)))
  }
}
