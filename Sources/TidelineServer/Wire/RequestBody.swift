import EventStore
import Tideline
import TidelineHTTP

/// A JSON object sent by a client, with accessors that check the types of its members.
struct RequestBody {
  private let bytes: [UInt8]
  private let members: [String: JSONToken]

  /// Reads a body; refuses one that is not an object.
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

  /// Refuses members other than these.
  func expect(_ names: Set<String>) throws(Refusal) {
    guard let strange = members.keys.filter({ !names.contains($0) }).min() else { return }
    throw .invalid("Unexpected attribute: \(strange)")
  }

  /// Whether there is a member of that name, even if null.
  func has(_ name: String) -> Bool { members[name] != nil }

  private func token(_ name: String) -> JSONToken? {
    members[name].flatMap { $0.kind == .null ? nil : $0 }
  }

  /// Returns a text; `nil` if it is absent or null.
  func text(_ name: String) throws(Refusal) -> String? {
    guard let token = token(name) else { return nil }
    guard token.kind == .string else { throw .invalid("\(name) must be a string") }
    return bytes.payloadBytes.text(of: token)
  }

  /// Returns an integer; `nil` if it is absent or null.
  func integer(_ name: String) throws(Refusal) -> Int64? {
    guard let token = token(name) else { return nil }
    guard token.kind == .number, let integer = bytes.payloadBytes.plainInteger(of: token) else {
      throw .invalid("\(name) must be an integer")
    }
    return integer
  }

  /// Returns a number, possibly with a fraction; `nil` if it is absent or null.
  func number(_ name: String) throws(Refusal) -> Double? {
    guard let token = token(name) else { return nil }
    guard token.kind == .number, let number = Double(bytes.payloadBytes.text(of: token)) else {
      throw .invalid("\(name) must be a number")
    }
    return number
  }

  /// Returns a Boolean; `nil` if it is absent or null.
  func flag(_ name: String) throws(Refusal) -> Bool? {
    switch token(name)?.kind {
    case nil: nil
    case .yes?: true
    case .no?: false
    default: throw .invalid("\(name) must be a boolean")
    }
  }

  /// Returns a list of texts; `nil` if it is absent or null.
  func texts(_ name: String) throws(Refusal) -> [String]? {
    try items(name) { scanner throws(JSONFault) in
      let token = try scanner.value()
      return token.kind == .string ? scanner.bytes.text(of: token) : nil
    }
  }

  /// Returns a list of people; `nil` if it is absent or null.
  func people(_ name: String) throws(Refusal) -> [Participant]? {
    try items(name) { scanner throws(JSONFault) in
      let object = try scanner.members()
      return object["email"].map { Participant(name: object["name"], email: $0) }
    }
  }

  /// Returns the text members of a list of objects; `nil` if it is absent or null.
  func objects(_ name: String) throws(Refusal) -> [TextMembers]? {
    try items(name) { scanner throws(JSONFault) in try scanner.members() }
  }

  /// Returns a list whose items `read` reads; refuses the list if `read` refuses an item.
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

/// The members of an object that are texts, of which objects of requests have few.
struct TextMembers {
  private var members: [(name: String, text: String)] = []

  /// The text of a member; of the last one if several have the name.
  subscript(name: String) -> String? { members.last { $0.name == name }?.text }

  fileprivate mutating func add(_ name: String, _ text: String) {
    if members.isEmpty { members.reserveCapacity(2) }
    members.append((name, text))
  }
}

extension JSONScanner {
  /// Returns the next object's members that are texts.
  fileprivate mutating func members() throws(JSONFault) -> TextMembers {
    var members = TextMembers()
    try open(.object)
    while let name = try nextName() {
      let token = try value()
      guard token.kind == .string else { continue }
      members.add(bytes.text(of: name), bytes.text(of: token))
    }
    return members
  }
}
