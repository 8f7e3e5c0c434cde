import EventStore
import Foundation
import Testing

/// The document's example is what is written and read.
@Suite struct ExportFormatTests {
  /// The lines that the document shows.
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
}
