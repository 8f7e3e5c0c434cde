public import EventStore
public import Tideline

/// Why an object is or is not in a list: its row, what hides it, its open operations, and its
/// tombstone if it was deleted.
public struct Why: Sendable, Hashable {
  /// The object's id.
  public let id: String
  /// The list's condition, and the values in the object's row.
  public let list: ListExplanation
  /// The reasons it is hidden, in words.
  public let hiding: [String]
  /// The fields whose visible value differs from the server's, with both values.
  public let overlay: [OverlaidField]
  /// The open operations on it, and what would end each.
  public let operations: [Operation]
  /// What keeps the object from coming back, if it was deleted.
  public let tombstone: Tombstone?
  /// The first record about the object, if nothing is left of any: it was erased or refused, or its
  /// login was not open.
  public let silentRecord: RefusedEvent?
  /// The records about the object that were refused, and why.
  public let refusals: [RefusedEvent]

  /// A field whose visible value differs from the server's.
  public struct OverlaidField: Sendable, Hashable {
    /// The field's name.
    public let field: String
    /// The server's value.
    public let base: String?
    /// The visible value.
    public let visible: String?
  }

  /// A wanted operation on the object that has not ended.
  public struct Operation: Sendable, Hashable {
    /// The record of the intent, and its origin.
    public let intent: Testimony?
    /// The wanted action, in words.
    public let action: String
    /// The state of the operation.
    public let state: String
    /// The ways it may end, in words.
    public let ends: [String]
  }

  /// The remainder of a deleted object.
  public struct Tombstone: Sendable, Hashable {
    /// The record that deleted it, and its origin.
    public let deletion: Testimony?
    /// The time of the deletion.
    public let deletedAt: Timestamp?
    /// The version of the deleted object.
    public let version: Int?
    /// The time from which any fact may bring it back; `nil` if never.
    public let endsAt: Timestamp?
  }

  /// Whether the object is in the list.
  public var isListed: Bool { list.rank != nil }

  /// The answer, in a sentence.
  public var verdict: String {
    if let rank = list.rank {
      return "\(id) is at index \(rank) of \(list.count) in \(list.list)"
    }
    let reasons = absence
    return "\(id) is not in \(list.list): \(reasons.joined(separator: "; "))"
  }

  private var absence: [String] {
    guard list.row != nil else {
      guard tombstone == nil else { return ["it was deleted"] }
      let silent = silentRecord.map { "record \($0.number) left nothing of it. \($0.reason)" }
      return [silent ?? "the log does not mention it"]
    }
    let unmet = list.condition.unmet.filter { !hiding.isEmpty ? !$0.text.contains("hiding") : true }
    let grouping = list.grouping.map { $0.isMet ? [] : [$0] } ?? []
    return hiding
      + (unmet + grouping).map { "it needs \($0.text), but has \($0.value ?? "none")" }
  }
}

extension ConditionTrace {
  /// The unmet conditions on single fields.
  fileprivate var unmet: [ConditionTrace] {
    guard !isMet else { return [] }
    return parts.isEmpty ? [self] : parts.flatMap(\.unmet)
  }
}

extension Why: CustomStringConvertible {
  /// The answer in lines, for people.
  public var description: String {
    var lines = [verdict] + list.condition.lines(indent: 1)
    if let grouping = list.grouping { lines += grouping.lines(indent: 1) }
    if list.row != nil {
      let key = list.key.map { "\($0.field)\($0.isDescending ? "↓" : "") \($0.value ?? "none")" }
      lines.append("  ordered by \(key.joined(separator: ", "))")
    }
    if let previous = list.previous { lines.append("  after \(previous.id)") }
    if let next = list.next { lines.append("  before \(next.id)") }
    lines += hiding.map { "  hidden: \($0)" }
    lines += overlay.map {
      "  \($0.field) is \($0.visible ?? "none"), where the server says \($0.base ?? "none")"
    }
    for operation in operations { lines += operation.lines }
    if let tombstone { lines += tombstone.lines }
    lines += refusals.map { "  refused: #\($0.number). \($0.reason)" }
    return lines.joined(separator: "\n")
  }
}

extension ConditionTrace {
  fileprivate func lines(indent: Int) -> [String] {
    let room = String(repeating: "  ", count: indent)
    let value = value.map { " (\($0))" } ?? ""
    let own = parts.isEmpty ? ["\(room)\(isMet ? "✓" : "✗") \(text)\(value)"] : []
    return own + parts.flatMap { $0.lines(indent: indent) }
  }
}

extension Why.Operation {
  fileprivate var lines: [String] {
    let intent = intent.map { " by #\($0.number)" } ?? ""
    return ["  open: \(action)\(intent), \(state)"] + ends.map { "    until \($0)" }
  }
}

extension Why.Tombstone {
  fileprivate var lines: [String] {
    let deletion = deletion.map { " by #\($0.number) (\($0.text))" } ?? ""
    let end = endsAt.map { "until \($0)" } ?? "for as long as the account exists"
    return ["  deleted\(deletion), in effect \(end)"]
  }
}

extension InboxReplay {
  /// Returns why an object is or is not in a list where the replay stands.
  ///
  /// - Complexity: O(log *n* + operations on it + refused records); O(records) if no row has or had
  ///   the id.
  /// - Throws: `StoreError`.
  /// - Precondition: The list is of a view of such objects.
  public func why(
    _ id: String, _ objectClass: ObjectClass, in list: ListName, of account: UInt32
  ) throws(StoreError) -> Why {
    let standing = try replay.standing(of: id, objectClass, in: account)
    return Why(
      id: id, list: try replay.explain(standing.rowID, in: list), hiding: standing.hiding,
      overlay: standing.overlaid(ObjectKind.of(objectClass)?.collection),
      operations: standing.operations.map(told), tombstone: standing.stone.map(told),
      silentRecord: try silentRecord(about: id, objectClass, of: account),
      refusals: try refusals(about: id, objectClass, of: account))
  }

  private func testimony(_ number: RecordNumber) -> Testimony? {
    let record = try? log.read { try $0.record(number) }
    return (record ?? nil).map { Testimony($0, of: log) }
  }

  private func told(_ operation: ObjectStanding.Operation) -> Why.Operation {
    Why.Operation(
      intent: testimony(operation.intent), action: operation.action, state: operation.state,
      ends: operation.ends)
  }

  private func told(_ stone: ObjectStanding.Stone) -> Why.Tombstone {
    Why.Tombstone(
      deletion: stone.record.flatMap(testimony), deletedAt: stone.deletedAt,
      version: stone.version, endsAt: stone.endsAt)
  }
}

extension ObjectStanding {
  /// Returns the fields whose visible value differs from the server's.
  fileprivate func overlaid(_ collection: RowCollection?) -> [Why.OverlaidField] {
    guard let collection, let visible, let base else { return [] }
    return collection.fields.compactMap { field in
      let (shown, said) = (visible.text(of: field), base.text(of: field))
      guard shown != said else { return nil }
      return Why.OverlaidField(field: field.name, base: said, visible: shown)
    }
  }
}
