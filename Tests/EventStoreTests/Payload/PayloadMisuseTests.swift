import EventStore
import Testing

/// Programming errors trap, with a message that names the error.
@Suite struct PayloadMisuseTests {
  private func expect(_ end: ExitTest.Result?, says message: String) {
    // Release builds trap without a message.
    #if DEBUG
      let said = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains(message))
    #endif
  }

  @Test func number_notAscending_traps() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PayloadWriter.bytes {
        $0.put(2, true)
        $0.put(2, true)
      }
    }
    expect(end, says: "field 2 is put after field 2: numbers must ascend from 1")
  }

  @Test func number_zero_traps() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PayloadWriter.bytes { $0.putList(0) { _ in } }
    }
    expect(end, says: "numbers must ascend from 1")
  }

  @Test func number_aboveTheLimit_traps() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PayloadWriter.bytes { $0.putNull(PayloadFormat.fieldNumberLimit + 1) }
    }
    expect(end, says: "field 268435457 is above the limit of 268435456")
  }

  @Test func nesting_beyondTheLimit_traps() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var value = PayloadValue.null
      for _ in 0...PayloadFormat.nestingLimit { value = .list([value]) }
      _ = ([1: value] as PayloadFields).encoded
    }
    expect(end, says: "nested deeper than 64")
  }

  @Test func fields_givenTwice_trap() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = [1: .null, 1: .null] as PayloadFields
    }
    expect(end, says: "field 1 is given twice")
  }

  @Test func json_withAValueThatHasNoName_traps() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = JSONWriter.text { json in json.object { $0.null() } }
    }
    expect(end, says: "a value in a JSON object has no name")
  }

  @Test func json_withTwoValues_traps() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = JSONWriter.text { json in
        json.null()
        json.null()
      }
    }
    expect(end, says: "a JSON text holds one value")
  }

  @Test func json_nestedBeyondTheLimit_traps() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var value = PayloadValue.null
      for _ in 0...JSONWriter.nestingLimit { value = .list([value]) }
      _ = ([1: value] as PayloadFields).json()
    }
    expect(end, says: "JSON is nested deeper than 128")
  }
}
