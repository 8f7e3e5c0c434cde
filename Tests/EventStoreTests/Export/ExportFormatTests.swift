import EventStore
import Foundation
import Testing

/// The document's example is exactly what is exported and imported.
@Suite struct ExportFormatTests {
  /// Returns the lines that the document shows.
  private func example() throws -> [UInt8] {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/EventStore/EventStore.docc/ExportFormat.md")
    let text = try String(contentsOf: path, encoding: .utf8)
    let block = try #require(text.split(separator: "```json\n").last?.split(separator: "```").first)
    return Array(block.utf8)
  }

  @Test func example_isTheLogOfTheFormat() async throws {
    let lines = try example()
    let copy = try await ExportedLog.imported(lines)
    let records = try copy.log.whole()
    let goldens = try Goldens.of("LogFormat")
    for record in records {
      let golden = goldens["record \(record.number)"]
      #expect(record.header.bytes + record.payload == golden, "\(record.number)")
    }
    #expect(try ExportedLog.lines(of: copy.log) == lines && records.count == 2)
    await copy.log.close()
  }

  /// The limit holds for the values that take most, in payloads so long that headers don't count.
  @Test func line_isWithinItsLimit_whateverThePayload() async throws {
    var fields = PayloadFields()
    for number in 1...7 { fields[number] = .boolean(false) }
    let nested = (0..<60).reduce(fields) { inner, _ in
      var outer = fields
      outer[7] = .fields(inner)
      return outer
    }
    let values: [PayloadValue] = [
      .bytes([]), .fields(fields), .fields(nested), .boolean(false), .integer(-64), .double(0),
      .text("\u{1}"), .fields([1023: .boolean(false)]), .list([]),
    ]
    let payloads = values.map { value -> [UInt8] in
      let single: PayloadFields = [1: value]
      let list = [PayloadValue](repeating: value, count: 20_000 / single.encoded.count)
      return PayloadFields(dictionaryLiteral: (1, .list(list))).encoded
    }
    let log = try await ExportedLog(seed: 17, count: 1).log
    var batch = Batch()
    for payload in payloads { batch.add(.note, payload: payload.span.bytes) }
    try await log.append(batch)
    let lines = try ExportedLog.lines(of: log).split(separator: UInt8(ascii: "\n"))
    for (line, payload) in zip(lines.dropFirst(2), payloads) {
      #expect(line.count <= ExportFormat.lineBytesMax(payloadBytes: payload.count))
    }
    await log.close()
  }
}
