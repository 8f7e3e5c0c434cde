import EventStore
import Tideline

/// The envelope of a change: its subject, and the place of its attributes.
struct Delta {
  private(set) var id: JSONToken?
  private var object: JSONToken?
  /// The class that the envelope names, once it has been read.
  private var said: ObjectClass?
  private var event: JSONToken?
  /// The offset at which the attributes begin.
  private var attributes: Int?

  /// Reads an envelope, and takes the members of its attributes.
  init(
    _ scanner: inout JSONScanner, _ members: inout MemberSet, _ lists: inout FactWriter,
    _ order: inout JSONNameOrder
  ) throws(JSONFault) {
    var taken: ObjectClass?
    members.removeAll()
    order.begin()
    try scanner.open(.object)
    while let (_, index) = try scanner.nextName(of: Self.names, &order) {
      switch index {
      case 0: id = try scanner.value()
      case 1:
        object = try scanner.value()
        said = classNamed(in: scanner.bytes)
      case 2: event = try scanner.value()
      case 3 where try scanner.nextKind() == .object:
        attributes = scanner.place
        taken = said
        try members.take(&scanner, as: said ?? .other, &lists)
      default: _ = try scanner.value()
      }
    }
    // The class may follow the attributes.
    guard let attributes, let said, said != taken else { return }
    var again = JSONScanner(scanner.bytes, at: attributes)
    try members.take(&again, as: said, &lists)
  }

  private func classNamed(in bytes: RawSpan) -> ObjectClass? {
    guard let object, object.kind == .string else { return nil }
    return ObjectClass(named: object, in: bytes) ?? .other
  }

  /// The cursor of a change is not read; it is listed so that its place among the names can be
  /// expected.
  private static let names = JSONNames(["id", "object", "event", "attributes", "cursor"])
  private static let events = JSONNames(["create", "modify", "delete"])
  private static let changes: [ObjectChange] = [.created, .changed, .deleted]

  /// Returns the subject of the change.
  func subject(in bytes: RawSpan, from start: Int) throws(JSONFault) -> Subject {
    guard let said else { throw JSONFault(.missing("object"), at: start) }
    guard let event, event.kind == .string else { throw JSONFault(.missing("event"), at: start) }
    guard let word = Self.events.index(of: event, in: bytes) else {
      throw JSONFault(.unknownWord("event"), at: event.start)
    }
    let change = Self.changes[word]
    guard attributes != nil || change == .deleted else {
      throw JSONFault(.missing("attributes"), at: start)
    }
    return Subject(
      objectClass: said, className: object, change: change, id: id, start: start)
  }
}
