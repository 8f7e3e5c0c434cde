public import EventStore
public import Tideline

/// A record that changed an object, and the change.
public struct ObjectBlame: Sendable, Hashable {
  /// The record and its origin.
  public let testimony: Testimony
  /// The change to the object.
  public let change: RowStep
  /// The intents on the object that the record ended.
  public var ended: [Testimony] = []
}

/// The reason a badge shows its number.
public struct BadgeBlame: Sendable, Hashable {
  /// The number.
  public let count: Int
  /// Whether the app sets its badge itself, so that the number is not shown.
  public let isOwn: Bool
  /// The counted objects, each with the record that made it count.
  public let entries: [ObjectBlame]
  /// The lists whose rows are counted.
  public let parts: [Part]

  /// A list whose rows are counted.
  public struct Part: Sendable, Hashable {
    /// The list.
    public let list: ListName
    /// The number of rows in the list.
    public let count: Int
  }
}

extension InboxReplay {
  /// Returns the records that made an object what it is where the replay stands, in order; or only
  /// those that changed a named field.
  ///
  /// - Complexity: As `Replay.blame(_:in:fields:with:)`.
  /// - Throws: `StoreError`, ``InboxReplayError``.
  public func blame(
    _ id: String, _ objectClass: ObjectClass, field: String? = nil, of account: UInt32
  ) throws -> [ObjectBlame] {
    guard let collection = ObjectKind.of(objectClass)?.collection else {
      throw InboxReplayError.noObject(id)
    }
    let fields = try field.map { name -> FieldSet in
      guard let field = collection.field(named: name) else {
        let known = collection.fields.filter { !$0.isHidden }.map(\.name)
        throw InboxReplayError.noField(name, among: known)
      }
      return FieldSet(field: field.number)
    }
    let blames = try replay.blame(
      "\(account)/\(id)", in: collection, with: Operations.collection)
    guard !blames.isEmpty else { throw InboxReplayError.noObject(id) }
    return blames.filter { blame in
      fields.map { !$0.isDisjoint(with: blame.change.fields) } ?? true
    }.map { blame in
      let ids: Set = [id, Message.name(of: blame.change.id)?.id ?? id]
      return told(blame) { operation in
        let kind = operation[Operations.objectClass].flatMap(ObjectKind.of)
        return operation[Operations.item].map(ids.contains) == true
          && operation[Operations.account] == Int64(account)
          && kind?.collection.number == collection.number
      }
    }
  }

  /// Returns the records that brought the rows of a list into it, in the list's order.
  ///
  /// - Complexity: As `Replay.blame(_:)`.
  /// - Throws: `StoreError`.
  public func blame(_ list: ListName) throws(StoreError) -> [ObjectBlame] {
    try replay.blame(list).map { told($0) }
  }

  /// Returns the number for the app's icon, the counted objects, and the records that made each
  /// count.
  ///
  /// - Complexity: As `Replay.blame(_:)`.
  /// - Throws: `StoreError`.
  public func badge(
    of account: UInt32, countsThreads: Bool = true, countsRich: Bool = true
  ) throws(StoreError) -> BadgeBlame {
    let isOwn = replay.views.value(
      of: Accounts.ownsBadge, in: "\(account)", of: Accounts.collection)
    let views =
      (countsThreads ? [InboxViews.unreadInbox] : []) + (countsRich ? [InboxViews.unreadRich] : [])
    var (parts, entries): ([BadgeBlame.Part], [ObjectBlame]) = ([], [])
    for view in views {
      let list = ListName(view, of: account)
      parts.append(BadgeBlame.Part(list: list, count: try replay.count(of: list)))
      entries += try blame(list)
    }
    return BadgeBlame(
      count: parts.reduce(0) { $0 + $1.count }, isOwn: isOwn == true, entries: entries, parts: parts
    )
  }

  /// - Parameter isOnIt: Whether an operation is on the object.
  private func told(
    _ blame: Blame, isOnIt: (Row) -> Bool = { _ in false }
  ) -> ObjectBlame {
    let ended = blame.others.filter { step in
      step.new == nil && step.old.map(isOnIt) == true
    }
    return ObjectBlame(
      testimony: Testimony(blame.record, of: log), change: blame.change,
      ended: ended.compactMap { step in
        let intent = step.old?[Operations.intent].map(RecordNumber.init(kept:))
        let record = try? intent.flatMap { number in try log.read { try $0.record(number) } }
        return (record ?? nil).map { Testimony($0, of: log) }
      })
  }
}
