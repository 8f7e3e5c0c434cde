import EventStore
import Testing

/// Values begun and ended by calls have the same bytes as values written by closures.
@Suite struct PayloadOpeningTests {
  @Test func valuesWithinValues_areTheSameBytes() {
    // Lengths of one, two and three bytes.
    for count in [0, 1, 3, 120, 127, 128, 300, 16_383, 16_384, 70_000] {
      let text = [UInt8](repeating: 0x61, count: count)
      let expected = PayloadWriter.bytes { writer in
        writer.put(1, true)
        writer.putList(2) { items in
          items.append(utf8: text.payloadBytes)
          items.appendFields { fields in
            fields.put(1, utf8: text.payloadBytes)
            fields.putList(7) { $0.append(utf8: text.payloadBytes) }
          }
          items.appendFields { _ in }
        }
        writer.putFields(3) { $0.put(2, utf8: text.payloadBytes) }
        writer.putNull(4)
      }
      var writer = PayloadWriter(reserving: 0)
      for _ in 0..<2 {
        write(text, &writer)
        #expect(writer.count == expected.count)
        #expect(writer.takeAll() == expected, "\(count)")
      }
    }
  }

  private func write(_ text: [UInt8], _ writer: inout PayloadWriter) {
    writer.put(1, true)
    let list = writer.beginList(2)
    writer.item(utf8: text.payloadBytes)
    let item = writer.beginItem()
    writer.put(1, utf8: text.payloadBytes)
    let inner = writer.beginList(7)
    writer.item(utf8: text.payloadBytes)
    writer.end(inner)
    writer.end(item)
    writer.end(writer.beginItem())
    writer.end(list)
    writer.putFields(3) { $0.put(2, utf8: text.payloadBytes) }
    writer.putNull(4)
  }

  @Test func restart_leavesNothing_whateverWasOpen() {
    var writer = PayloadWriter(reserving: 10)
    writer.put(9, true)
    _ = writer.beginList(10)
    _ = writer.beginItem()
    writer.restart(at: 0)
    #expect(writer.count == 0)
    writer.put(1, 7)
    #expect(writer.takeAll() == ([1: .integer(7)] as PayloadFields).encoded)
    #expect(writer.takeAll() == [])
  }

  @Test func pieces_areWrittenInAnyOrder_andPutInTheRightOne() {
    let text = Array("abc".utf8)
    var pieces = PayloadWriter(reserving: 0)
    func piece(_ number: Int, _ body: (inout PayloadWriter) -> Void) -> Range<Int> {
      let start = pieces.count
      pieces.beginPiece()
      let list = pieces.beginList(number)
      body(&pieces)
      pieces.end(list)
      return start..<pieces.count
    }
    let last = piece(900) { $0.item(utf8: text.payloadBytes) }
    let first = piece(3) { _ in }
    let second = piece(4) { writer in
      let item = writer.beginItem()
      writer.put(2, utf8: text.payloadBytes)
      writer.end(item)
    }
    var writer = PayloadWriter(reserving: 0)
    writer.put(1, true)
    let both = first.lowerBound..<second.upperBound
    writer.put(fields: pieces.written.extracting(both), through: 4)
    writer.put(5, true)
    writer.put(fields: pieces.written.extracting(last), through: 900)
    let expected = PayloadWriter.bytes { writer in
      writer.put(1, true)
      writer.putList(3) { _ in }
      writer.putList(4) { items in items.appendFields { $0.put(2, "abc") } }
      writer.put(5, true)
      writer.putList(900) { $0.append("abc") }
    }
    #expect(writer.last == 900)
    #expect(writer.takeAll() == expected)
  }
}
