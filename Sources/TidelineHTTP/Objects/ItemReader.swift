import EventStore
package import Tideline

/// The items of an answer: facts, and refused items.
package struct WireItems: Sendable {
  /// The facts, in the server's order.
  package internal(set) var facts: [ObjectFact] = []
  /// The first refused items, and the number of all refused items.
  private var firstRefused: [ItemRefused] = []
  private var refusedCount = 0

  /// No items.
  package static let none = WireItems()

  /// The number of items in the answer.
  package var count: Int { facts.count + refusedCount }

  /// The refused items, in the server's order.
  ///
  /// Beyond ``WireLimits/refusals``, one final entry gives the number of the others.
  package var refused: [ItemRefused] {
    let rest = refusedCount - firstRefused.count
    guard rest > 0 else { return firstRefused }
    return firstRefused + [ItemRefused { $0.reason = "\(rest) more could not be taken in" }]
  }

  /// Refuses an item; builds no entry for it once the limit is reached.
  mutating func refuse(_ item: () -> ItemRefused) {
    refusedCount += 1
    if refusedCount <= WireLimits.refusals { firstRefused.append(item()) }
  }

  /// Appends the items that follow.
  mutating func append(_ more: WireItems) {
    if facts.isEmpty { facts = more.facts } else { facts += more.facts }
    refusedCount += more.refusedCount
    firstRefused += more.firstRefused.prefix(WireLimits.refusals - firstRefused.count)
  }
}

/// Reads the items of an answer one by one, so that a faulty item is refused alone.
///
/// Invalid JSON fails the whole answer, because the end of an item cannot be found in it.
struct ItemReader: ~Copyable {
  /// The items, without the facts still to be taken from the writer.
  var items = WireItems()
  private var members = MemberSet()
  private var writer: FactWriter
  /// The writer of the lists among the members.
  private var lists = FactWriter()
  /// The order in which changes have their members.
  private var order = JSONNameOrder()

  /// Creates a reader with room for the facts of some bytes.
  init(reserving byteCount: Int = 1 << 10) { writer = FactWriter(reserving: byteCount) }

  /// Returns the items that were read.
  consuming func finish() -> WireItems {
    takeFacts()
    return items
  }

  /// Takes the facts from the writer.
  mutating func takeFacts() { writer.takeFacts(into: &items.facts) }

  /// Reads an object that stands directly in an answer.
  ///
  /// - Parameters:
  ///   - objectClass: The class of an object that does not state its own.
  ///   - change: What the answer says happened to the object.
  mutating func takeObject(
    _ scanner: inout JSONScanner, _ objectClass: ObjectClass, _ change: ObjectChange
  ) throws(JSONFault) {
    guard let start = try beginItem(&scanner) else { return }
    try members.take(&scanner, as: objectClass, &lists)
    let name = members[FieldTable.classRow].flatMap { $0.kind == .string ? $0 : nil }
    let said = name.map { ObjectClass(named: $0, in: scanner.bytes) ?? .other } ?? objectClass
    if said != objectClass {
      var again = JSONScanner(scanner.bytes, at: start)
      try members.take(&again, as: said, &lists)
    }
    let subject = Subject(
      objectClass: said, className: name, change: change, id: nil, start: start)
    add(subject, scanner)
  }

  /// Reads a change of an object.
  mutating func takeDelta(_ scanner: inout JSONScanner) throws(JSONFault) {
    guard let start = try beginItem(&scanner) else { return }
    let delta = try Delta(&scanner, &members, &lists, &order)
    do throws(JSONFault) {
      add(try delta.subject(in: scanner.bytes, from: start), scanner)
    } catch {
      refuse(error, nil, id: delta.id, start..<scanner.place, scanner.bytes)
    }
  }

  /// Returns the start of the next object; refuses a value that is not an object.
  private mutating func beginItem(_ scanner: inout JSONScanner) throws(JSONFault) -> Int? {
    scanner.beginItem()
    if try scanner.nextKind() == .object { return scanner.place }
    let value = try scanner.value()
    refuse(value.isNot("an object", "the item"), nil, id: nil, value.range, scanner.bytes)
    return nil
  }

  /// Adds the fact of the object read last, or refuses it.
  private mutating func add(_ subject: Subject, _ scanner: borrowing JSONScanner) {
    let (range, bytes) = (subject.start..<scanner.place, scanner.bytes)
    do throws(JSONFault) {
      try scanner.checkItem(range)
      try writer.putFact(subject, members, lists, bytes)
    } catch {
      refuse(error, subject.objectClass, id: subject.id ?? members[FieldTable.idRow], range, bytes)
    }
  }

  private mutating func refuse(
    _ fault: JSONFault, _ objectClass: ObjectClass?, id: JSONToken?, _ range: Range<Int>,
    _ bytes: RawSpan
  ) {
    let kept = range.prefix(WireLimits.refusedBytes)
    items.refuse {
      ItemRefused {
        $0.objectClass = objectClass
        $0.id = id.flatMap { $0.isID ? bytes.text(of: $0) : nil }
        $0.reason = "\(fault.reason)"
        $0.offset = Int64(fault.offset)
        $0.content = EventBytes(bytes.copy(of: kept))
      }
    }
  }
}

extension JSONToken {
  /// Whether the value may be an id.
  fileprivate var isID: Bool { isPlainValue && end - start <= WireLimits.idBytes + 2 }
}

extension JSONScanner {
  /// Throws if an item is unfit to be kept.
  fileprivate func checkItem(_ range: Range<Int>) throws(JSONFault) {
    if let firstBadText { throw JSONFault(.notUTF8, at: firstBadText) }
    guard range.count <= WireLimits.itemBytes else {
      throw JSONFault(.tooLong("the item", limit: WireLimits.itemBytes), at: range.lowerBound)
    }
    guard deepest < WireLimits.nesting else {
      throw JSONFault(.nestedTooDeep(limit: WireLimits.nesting), at: range.lowerBound)
    }
  }
}

extension RawSpan {
  func copy(of range: Range<Int>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.append(payload: extracting(range))
    return copy
  }
}
