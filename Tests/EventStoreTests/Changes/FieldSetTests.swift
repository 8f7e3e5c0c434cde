import EventStore
import Testing

@Suite struct FieldSetTests {
  @Test func numbers_areThoseThatWentIn() {
    let fields: FieldSet = [FieldSet(field: 64), FieldSet(field: 1), FieldSet(field: 9)]
    #expect(fields.numbers == [1, 9, 64])
    #expect(fields.count == 3)
    #expect(fields.contains(field: 9) && !fields.contains(field: 8))
    #expect(FieldSet().numbers.isEmpty)
  }
}
