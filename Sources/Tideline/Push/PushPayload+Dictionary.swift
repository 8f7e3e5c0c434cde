import EventStore
import Foundation

extension PushPayload {
  /// Creates a payload from what an app or extension receives, such as a notification's `userInfo`.
  ///
  /// Dates become texts such as `2023-11-14T22:13:20.000Z`, data becomes Base64, and URLs become
  /// their text. Numbers keep their digits. Booleans stay booleans, whether `Bool` or `NSNumber`.
  ///
  /// - Throws: `foreignValue`, `nestedTooDeep`, `tooLarge`.
  public init(_ dictionary: [AnyHashable: Any]) throws(PushError) {
    var bridge = JSONBridge()
    self.init(try bridge.object(dictionary))
  }
}

/// Converts a dictionary of arbitrary values to JSON.
private struct JSONBridge {
  private var byteCount = 0
  private var depth = 0

  mutating func object(_ dictionary: [AnyHashable: Any]) throws(PushError) -> JSONObject {
    try descend()
    defer { depth -= 1 }
    var members: [(name: String, value: JSONValue)] = []
    for (key, value) in dictionary {
      guard let name = key.base as? String else {
        throw .foreignValue(type: Self.type(of: key.base))
      }
      members.append((try counted(name), try self.value(value)))
    }
    return JSONObject(members)
  }

  private mutating func array(_ values: [Any]) throws(PushError) -> JSONValue {
    try descend()
    defer { depth -= 1 }
    var elements: [JSONValue] = []
    for value in values { elements.append(try self.value(value)) }
    return .array(elements)
  }

  private mutating func value(_ value: Any) throws(PushError) -> JSONValue {
    try count(1)
    switch value {
    case is NSNull: return .null
    // Comes before booleans and numbers, since `NSNumber` and those types cast to one another.
    case let number as NSNumber: return Self.number(number)
    case let text as String: return .string(try counted(text))
    case let date as Date: return .string(try counted(date.kept.description))
    case let data as Data: return .string(try counted(data.base64EncodedString()))
    case let address as URL: return .string(try counted(address.absoluteString))
    case let members as [AnyHashable: Any]: return .object(try object(members))
    case let values as [Any]: return try array(values)
    default: throw .foreignValue(type: Self.type(of: value))
    }
  }

  /// Returns a number or a boolean; only the serialized form tells them apart.
  private static func number(_ number: NSNumber) -> JSONValue {
    guard number.doubleValue.isFinite else { return .string("\(number.doubleValue)") }
    let written = try? JSONSerialization.data(withJSONObject: [number])
    switch written.map({ String(decoding: $0, as: UTF8.self) }) {
    case "[true]"?: return .boolean(true)
    case "[false]"?: return .boolean(false)
    case let text?: return .number(String(text.dropFirst().dropLast()))
    case nil: return .string(number.stringValue)
    }
  }

  private mutating func descend() throws(PushError) {
    guard depth < JSONValue.nestingLimit else { throw .nestedTooDeep }
    depth += 1
    try count(2)
  }

  private mutating func counted(_ text: String) throws(PushError) -> String {
    try count(text.utf8.count)
    return text
  }

  private mutating func count(_ bytes: Int) throws(PushError) {
    byteCount += bytes
    guard byteCount <= PushPayload.bytesMax else { throw .tooLarge(bytes: byteCount) }
  }

  private static func type(of value: Any) -> String { "\(Swift.type(of: value))" }
}
