import EventStore
import Tideline
import TidelineHTTP

/// The JSON object that a client sent: its members, each read as what it should be.
struct RequestBody {
  private let bytes: [UInt8]
  private let members: [String: JSONToken]

  /// Reads a body; throws that it makes no sense where it is no object.
  init(_ bytes: [UInt8]?) throws(Refusal) {
    self.bytes = bytes ?? []
    do throws(JSONFault) { members = try Self.members(of: self.bytes) } catch {
      throw .invalid("the body is no JSON object")
    }
  }

  private static func members(of bytes: [UInt8]) throws(JSONFault) -> [String: JSONToken] {
    var members: [String: JSONToken] = [:]
    var scanner = JSONScanner(bytes.payloadBytes)
    try scanner.open(.object)
    while let name = try scanner.nextName() {
      members[scanner.bytes.text(of: name)] = try scanner.value()
    }
    try scanner.finish()
    return members
  }

  /// Sees to it that there are no members but these.
  func expect(_ names: Set<String>) throws(Refusal) {
    guard let strange = members.keys.filter({ !names.contains($0) }).min() else { return }
    throw .invalid("Unexpected attribute: \(strange)")
  }

  /// Whether there is a member, be it null.
  func has(_ name: String) -> Bool { members[name] != nil }

  private func token(_ name: String) -> JSONToken? {
    members[name].flatMap { $0.kind == .null ? nil : $0 }
  }

  /// A text; `nil` where it is absent or null.
  func text(_ name: String) throws(Refusal) -> String? {
    guard let token = token(name) else { return nil }
    guard token.kind == .string else { throw .invalid("\(name) must be a string") }
    return bytes.payloadBytes.text(of: token)
  }

  /// An integer; `nil` where it is absent or null.
  func integer(_ name: String) throws(Refusal) -> Int64? {
    guard let token = token(name) else { return nil }
    guard token.kind == .number, let integer = bytes.payloadBytes.plainInteger(of: token) else {
      throw .invalid("\(name) must be an integer")
    }
    return integer
  }

  /// A number that may have a fraction; `nil` where it is absent or null.
  func number(_ name: String) throws(Refusal) -> Double? {
    guard let token = token(name) else { return nil }
    guard token.kind == .number, let number = Double(bytes.payloadBytes.text(of: token)) else {
      throw .invalid("\(name) must be a number")
    }
    return number
  }

  /// A boolean; `nil` where it is absent or null.
  func flag(_ name: String) throws(Refusal) -> Bool? {
    switch token(name)?.kind {
    case nil: nil
    case .yes?: true
    case .no?: false
    default: throw .invalid("\(name) must be a boolean")
    }
  }

  /// A list of texts; `nil` where it is absent or null.
  func texts(_ name: String) throws(Refusal) -> [String]? {
    try items(name) { scanner throws(JSONFault) in
      let token = try scanner.value()
      return token.kind == .string ? scanner.bytes.text(of: token) : nil
    }
  }

  /// A list of people; `nil` where it is absent or null.
  func people(_ name: String) throws(Refusal) -> [Participant]? {
    try items(name) { scanner throws(JSONFault) in
      let object = try scanner.members()
      return object["email"].map { Participant(name: object["name"], email: $0) }
    }
  }

  /// A list of objects, the texts of which are asked for; `nil` where it is absent or null.
  func objects(_ name: String) throws(Refusal) -> [[String: String]]? {
    try items(name) { scanner throws(JSONFault) in try scanner.members() }
  }

  /// A list whose items `read` reads, none of which may be refused by it.
  private func items<Item>(
    _ name: String, _ read: (inout JSONScanner) throws(JSONFault) -> Item?
  ) throws(Refusal) -> [Item]? {
    guard let token = token(name) else { return nil }
    var items: [Item] = []
    do throws(JSONFault) {
      var scanner = JSONScanner(bytes.payloadBytes, at: token.start)
      try scanner.open(.array)
      while try scanner.nextItem() {
        guard let item = try read(&scanner) else { throw .init(.unexpected, at: scanner.place) }
        items.append(item)
      }
    } catch {
      throw .invalid("\(name) is no such list")
    }
    return items
  }
}

extension JSONScanner {
  /// The members of the object that is next, as far as they are texts.
  fileprivate mutating func members() throws(JSONFault) -> [String: String] {
    var members: [String: String] = [:]
    try open(.object)
    while let name = try nextName() {
      let token = try value()
      guard token.kind == .string else { continue }
      members[bytes.text(of: name)] = bytes.text(of: token)
    }
    return members
  }
}
