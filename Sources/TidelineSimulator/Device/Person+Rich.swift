import EventStore
import Tideline

/// A person's actions on rich messages.
extension Person {
  private enum RichDeed: CaseIterable {
    case read, delete, readAll, deleteAll, look

    var weight: Int {
      switch self {
      case .read: 10
      case .delete, .look: 3
      case .readAll, .deleteAll: 1
      }
    }
  }

  /// Returns the next action on rich messages; `nil` if it is impossible.
  mutating func rich(_ views: borrowing StoreSnapshot) throws -> (any InboxEvent)? {
    let choices = RichDeed.allCases.map { ($0, $0.weight) }
    guard let deed = dice.pick(weighted: choices), let id = try message(views) else { return nil }
    switch deed {
    case .read:
      return MarkRead {
        ($0.objectClass, $0.ids, $0.isRead, $0.terms) = (.rich, [id], true, terms())
      }
    case .delete:
      return DeleteObjects { ($0.objectClass, $0.ids, $0.terms) = (.rich, [id], terms()) }
    case .readAll: return MarkAll { ($0.action, $0.terms) = (.read, terms()) }
    case .deleteAll: return MarkAll { ($0.action, $0.terms) = (.deleted, terms()) }
    case .look:
      let key = OperationKey(using: &dice)
      return MessageOpened { ($0.id, $0.key) = (id, key) }
    }
  }

  private mutating func message(_ views: borrowing StoreSnapshot) throws -> String? {
    let list = ListName(InboxViews.allRich, of: account)
    let count = try views.count(of: list)
    guard count > 0 else { return nil }
    let place = dice.number(0...min(count - 1, 12))
    let row = try views.rows(of: list, in: place..<place + 1).first
    return row.flatMap { RichMessage.name(of: $0.id)?.id }
  }
}
