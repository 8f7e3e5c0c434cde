/// The content of a push from any sender: a JSON object.
///
///     let payload = try PushPayload(content.userInfo)
///
/// Only whitespace and member order are lost, so the same push is the same value however it
/// arrived.
public struct PushPayload: Sendable, Hashable {
  /// The most bytes in a payload; push services allow a sixteenth of that.
  public static let bytesMax = 64 << 10
  /// The most bytes in a title, an address or a similar text of a message.
  ///
  /// Push services allow as many for the whole payload. A longer text is kept like data without a
  /// field.
  public static let textBytesMax = 4 << 10
  /// The deepest nesting of objects and arrays.
  public static let nestingLimit = JSONValue.nestingLimit

  /// The members.
  package let members: JSONObject
  /// Whether the payload was cut off and holds only the members that arrived.
  public let isCutOff: Bool

  /// Creates a payload of these members.
  package init(_ members: JSONObject, isCutOff: Bool = false) {
    self.members = members
    self.isCutOff = isCutOff
  }

  /// Parses JSON as the sender wrote it.
  ///
  /// A truncated object is read as far as it goes.
  ///
  /// - Throws: `cutOff` if nothing of it arrived, `malformed`, `nestedTooDeep` or `tooLarge`.
  /// - Complexity: O(*n* log *n*) in the bytes.
  public init(json bytes: [UInt8]) throws(PushError) {
    guard bytes.count <= Self.bytesMax else { throw .tooLarge(bytes: bytes.count) }
    var parser = JSONParser(bytes)
    do throws(JSONError) {
      guard case .object(let members) = try parser.parse() else { throw .malformed(at: 0) }
      self.init(members, isCutOff: parser.isCutOff)
    } catch {
      throw PushError(error)
    }
  }

  /// The payload as JSON, identical for equal payloads.
  public var json: String { JSONValue.object(members).text }
}
