import EventStore
import Foundation
import Tideline

/// The contents of an article about events, by heading, and the contents it must have.
struct EventDocument {
  /// The lines under each heading.
  private(set) var sections: [String: [String]] = [:]

  /// Reads the article of the given name.
  init(_ article: String) throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Tideline/Tideline.docc/\(article).md")
    var heading = ""
    let text = try String(contentsOf: path, encoding: .utf8)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#") { heading = String(line.drop { $0 == "#" || $0 == " " }) }
      sections[heading, default: []].append(String(line))
    }
  }

  /// Returns the first columns of the table under a heading, without its header row.
  func rows(_ heading: String, columns: Int) -> [String] {
    let rows = sections[heading, default: []].filter { $0.hasPrefix("| ") }.dropFirst()
    return rows.map { row in
      row.split(separator: "|").prefix(columns)
        .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " | ")
    }
  }

  /// Returns the block of bytes under a heading.
  func block(_ heading: String) -> String {
    let lines = sections[heading, default: []]
    guard let start = lines.firstIndex(of: "```") else { return "" }
    return lines[(start + 1)...].prefix { $0 != "```" }.joined(separator: "\n")
  }
}

extension EventDocument {
  /// Returns the table rows that each describe one field.
  static func rows(of shape: EventShape) -> [String] {
    shape.fields.map { "\($0.number) | \($0.name) | \($0.type)\($0.isRequired ? "" : "?")" }
  }

  /// Returns an event's bytes, field by field, and its line.
  static func block(of event: some InboxEvent, names: [Int: String]) throws -> String {
    var offset = 0
    var lines: [String] = []
    for field in try PayloadFields(decoding: event.payload.span.bytes) {
      let bytes = ([field.number: field.value] as PayloadFields).encoded
      let name = ObjectField(rawValue: field.number).map(\.name)
      let label = names[field.number] ?? name ?? ""
      for start in stride(from: 0, to: bytes.count, by: 12) {
        let part = bytes[start..<min(start + 12, bytes.count)]
        let text = part.map { String(format: "%02X", $0) }.joined(separator: " ")
        let padded = text.padding(toLength: 36, withPad: " ", startingAt: 0)
        let place = String(format: "%02X", offset + start)
        lines.append("\(place) │ \(padded)│\(start == 0 ? " \(label)" : "")")
      }
      offset += bytes.count
    }
    return (lines + ["", event.line]).joined(separator: "\n")
  }

  /// Returns the bytes that a block shows.
  static func bytes(in block: String) -> [UInt8] {
    block.split(separator: "\n").flatMap { line -> [UInt8] in
      let columns = line.split(separator: "│", omittingEmptySubsequences: false)
      guard columns.count == 3 else { return [] }
      return columns[1].split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
  }
}
