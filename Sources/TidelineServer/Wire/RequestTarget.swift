import EventStore
import TidelineHTTP

/// The target of a request, from its path: the parts, without a leading namespace, and the query.
struct RequestTarget {
  /// The namespace, if the path begins with one.
  let namespace: String?
  /// The parts of the path, unescaped.
  let parts: [String]
  private let query: [String: String]

  init(_ path: String) throws(Refusal) {
    let halves = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let escaped = halves[0].split(separator: "/")
    let parts = escaped.compactMap { $0.percentDecoded }
    guard parts.count == escaped.count else { throw .invalid("The path is no text") }
    let isWithin = parts.count > 1 && parts[0] == "n"
    namespace = isWithin ? parts[1] : nil
    self.parts = isWithin ? Array(parts.dropFirst(2)) : parts
    query = try Self.query(halves.count > 1 ? halves[1] : "")
  }

  private static func query(_ text: Substring) throws(Refusal) -> [String: String] {
    var query: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = halves[0].percentDecoded,
        let value = (halves.count > 1 ? halves[1] : "").percentDecoded
      else { throw .invalid("The query is no text") }
      query[name] = value
    }
    return query
  }

  /// The path without its namespace, by which faults match.
  var path: String { "/" + parts.joined(separator: "/") }

  /// Refuses parameters other than these.
  func expect(_ names: Set<String>) throws(Refusal) {
    guard let strange = query.keys.filter({ !names.contains($0) }).min() else { return }
    throw .invalid("Unexpected parameter: \(strange)")
  }

  /// The value of a parameter.
  subscript(name: String) -> String? { query[name] }

  /// Returns the value of a parameter as a number.
  func number(
    _ name: String, in range: ClosedRange<Int>, else standard: Int
  ) throws(Refusal) -> Int {
    guard let text = query[name] else { return standard }
    guard let number = Int(text), range ~= number else {
      throw .invalid("Invalid value for \(name): \(text)")
    }
    return number
  }

  /// Refuses values of these parameters that are not Booleans.
  func expectFlags(_ names: [String]) throws(Refusal) {
    for name in names {
      guard let text = query[name], text != "true", text != "false" else { continue }
      throw .invalid("Invalid value for \(name): \(text)")
    }
  }
}

extension Substring {
  /// The text with its escapes decoded; `nil` if an escape is invalid or the result is no text.
  fileprivate var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(Substring(rest.prefix(2)))
      guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
