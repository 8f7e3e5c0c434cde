/// What came with a push, from whoever sent it: an object of JSON.
///
///     let payload = try PushPayload(content.userInfo)
///
/// Nothing of it is lost but spaces and the order of members, so the same push is the same value
/// whichever way it came.
public struct PushPayload: Sendable, Hashable {
  /// The bytes that a payload may have; the push services allow a sixteenth of it.
  public static let bytesMax = 64 << 10
  /// The bytes that a text may have to be a title, an address or the like of a message, which is as
  /// many as the push services allow for all: a longer one is kept as what no field is for is.
  public static let textBytesMax = 4 << 10
  /// How many objects and arrays may lie within each other.
  public static let nestingLimit = JSONValue.nestingLimit

  /// The members.
  package let members: JSONObject
  /// Whether it was cut off, and these are only the members that had come.
  public let isCutOff: Bool

  /// A payload of these members.
  package init(_ members: JSONObject, isCutOff: Bool = false) {
    self.members = members
    self.isCutOff = isCutOff
  }

  /// Reads JSON, as the sender wrote it.
  ///
  /// An object that is cut off is read as far as it goes.
  ///
  /// - Throws: `cutOff` where nothing of it came, `malformed`, `nestedTooDeep`, `tooLarge`.
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

  /// The payload as JSON, equal ones alike.
  public var json: String { JSONValue.object(members).text }
}
