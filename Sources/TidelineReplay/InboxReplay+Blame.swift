public import EventStore
public import Tideline

/// A record that changed an object, and how.
public struct ObjectBlame: Sendable, Hashable {
  /// The record, and where it came from.
  public let testimony: Testimony
  /// What it did to the object.
  public let change: RowStep
}

/// Why a badge shows what it shows.
public struct BadgeBlame: Sendable, Hashable {
  /// The number.
  public let count: Int
  /// Whether the app sets its badge itself, so that the number isn't shown.
  public let isOwn: Bool
  /// What is counted: each object, and the record that made it count.
  public let entries: [ObjectBlame]
}

extension InboxReplay {
  /// The records that made an object what it is where the replay stands, in order; or that made one
  /// field so, which is given by its name.
  ///
  /// - Complexity: As `Replay.blame(_:in:fields:)`.
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
    let blames = try replay.blame("\(account)/\(id)", in: collection)
    guard !blames.isEmpty else { throw InboxReplayError.noObject(id) }
    return blames.filter { blame in
      fields.map { !$0.isDisjoint(with: blame.change.fields) } ?? true
    }.map(told)
  }

  /// The records that brought the rows of a list into it, in the list's order.
  ///
  /// - Complexity: As `Replay.blame(_:)`.
  /// - Throws: `StoreError`.
  public func blame(_ list: ListName) throws(StoreError) -> [ObjectBlame] {
    try replay.blame(list).map(told)
  }

  /// The number for the app's icon: what it counts, and the records that made each count.
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
    var (count, entries): (Int, [ObjectBlame]) = (0, [])
    for view in views {
      let list = ListName(view, of: account)
      count += try replay.count(of: list)
      entries += try blame(list)
    }
    return BadgeBlame(count: count, isOwn: isOwn == true, entries: entries)
  }

  private func told(_ blame: Blame) -> ObjectBlame {
    ObjectBlame(testimony: Testimony(blame.record, of: log), change: blame.change)
  }
}
