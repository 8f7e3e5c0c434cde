import EventStore
import Tideline
import TidelineHTTP
import TidelineSimulator
import TidelineSync

/// Lists and single objects.
extension Router {
  /// The default and the maximum number of objects in a list.
  static let (listLimit, listLimitMax) = (100, 1000)

  /// Lists objects of a class, their ids, or their number.
  mutating func list(_ objectClass: ObjectClass, _ call: Call) throws(Refusal) -> HTTPAnswer {
    let target = call.target
    try target.expect(Self.filterNames(of: objectClass).union(["limit", "offset", "view"]))
    let filters = try Self.filters(in: target)
    let limit = try target.number("limit", in: 0...Self.listLimitMax, else: Self.listLimit)
    let offset = try target.number("offset", in: 0...Int.max, else: 0)
    let mail = try mailbox(call)
    var ids = catalog.ids(of: objectClass, from: mail)
    if !filters.isEmpty { ids = ids.filter { mail.passes(filters, ObjectName(objectClass, $0)) } }
    let page = ids.dropFirst(offset).prefix(limit)
    switch target["view"] {
    case nil, "expanded"?: return HTTPAnswer(bytes: objects(page, of: objectClass, in: mail))
    case "ids"?: return HTTPAnswer { $0.array { json in for id in page { json.string(id) } } }
    case "count"?:
      return HTTPAnswer { $0.object { $0.member("count", ids.count) } }
    case let view?: throw .invalid("Invalid value for view: \(view)")
    }
  }

  private mutating func objects(
    _ ids: ArraySlice<String>, of objectClass: ObjectClass, in mail: MailServer
  ) -> [UInt8] {
    var bytes = [UInt8(ascii: "[")]
    for id in ids {
      guard let object = catalog.object(ObjectName(objectClass, id), from: mail) else { continue }
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += object
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }

  /// Returns one object; a sent draft is a message.
  mutating func object(
    _ objectClass: ObjectClass, _ id: String, _ call: Call
  ) throws(Refusal) -> HTTPAnswer {
    try call.target.expect(["view"])
    return try object(objectClass, id, in: try mailbox(call))
  }

  /// Returns an object as it is now.
  mutating func object(
    _ objectClass: ObjectClass, _ id: String, in mail: MailServer
  ) throws(Refusal) -> HTTPAnswer {
    guard let object = catalog.object(ObjectName(objectClass, id), from: mail) else {
      throw .missing("Couldn't find \(objectClass) \(id)")
    }
    return HTTPAnswer(bytes: object)
  }

  /// Returns the mailbox, if the request has its token.
  func mailbox(_ call: Call) throws(Refusal) -> MailServer {
    guard let mail else { throw .missing("There is no mail here") }
    guard call.token == mail.token else { throw .unauthorized }
    return mail
  }
}
