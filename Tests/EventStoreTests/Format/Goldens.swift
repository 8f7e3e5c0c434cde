import Foundation
import Testing

/// The blocks of bytes that an article shows, by name.
enum Goldens {
  /// Reads an article's blocks, whose lines have an offset, bytes, and what the bytes mean.
  static func of(_ article: String) throws -> [String: [UInt8]] {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/EventStore/EventStore.docc/\(article).md")
    var goldens: [String: [UInt8]] = [:]
    var name: String?
    for line in try String(contentsOf: path, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("golden: ") { name = String(line.dropFirst(8)) }
      if line.hasPrefix("```") { name = nil }
      let columns = line.split(separator: "│", omittingEmptySubsequences: false)
      guard let name, columns.count == 3 else { continue }
      let offset = Int(columns[0].filter { $0 != " " }, radix: 16)
      #expect(offset == goldens[name, default: []].count, "\(name): \(line)")
      goldens[name, default: []] += columns[1].split(separator: " ").compactMap {
        UInt8($0, radix: 16)
      }
    }
    return goldens
  }

  /// Formats bytes as an article shows them.
  static func text(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02X", $0) }.joined(separator: " ")
  }
}
