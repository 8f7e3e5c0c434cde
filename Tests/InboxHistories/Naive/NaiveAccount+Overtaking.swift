import EventStore
import Tideline

// What was acknowledged before (37).
extension NaiveAccount {
  /// The operations on the same object that were acknowledged before one and are about something of
  /// what it is about, with what is left of them.
  func overtaken(
    by operation: NaiveOperation
  ) -> [(operation: NaiveOperation, left: NaiveWish?)] {
    let before = operations(on: operation.name).prefix { !isSame($0, operation) }
    return before.compactMap { earlier in
      guard earlier.state == .acknowledged else { return nil }
      let left = rest(of: earlier.wish, without: operation.wish, operation.name.objectClass)
      return left == earlier.wish ? nil : (earlier, left)
    }
  }

  /// Takes away from them what that one is about.
  mutating func overtake(by operation: NaiveOperation) {
    for (earlier, left) in overtaken(by: operation) {
      guard let left else {
        end(operations.filter { isSame($0, earlier) })
        continue
      }
      for index in operations.indices where isSame(operations[index], earlier) {
        operations[index].wish = left
      }
    }
  }

  /// What is left of a wish without another about the same object, if anything is.
  private func rest(
    of wish: NaiveWish, without other: NaiveWish, _ objectClass: ObjectClass
  ) -> NaiveWish? {
    switch (wish, other) {
    case (.read, .read), (.delete, .delete): return nil
    case (.tags(let removed, let added), _):
      guard let tags = tagsSaid(by: other, objectClass) else { return wish }
      let (fewer, more) = (
        removed.filter { !tags.contains(own(tag: $0)) },
        added.filter { !tags.contains(own(tag: $0)) }
      )
      return fewer.isEmpty && more.isEmpty ? nil : .tags(removed: fewer, added: more)
    case (.read, .tags):
      guard objectClass == .thread, let tags = tagsSaid(by: other, objectClass) else { return wish }
      return tags.contains(own(tag: "unread")) ? nil : wish
    default: return wish
    }
  }

  /// The tags that a wish is about, by their own ids; `nil` where it is about something else.
  private func tagsSaid(by wish: NaiveWish, _ objectClass: ObjectClass) -> Set<String>? {
    switch wish {
    case .tags(let removed, let added): Set((removed + added).map(own(tag:)))
    case .read(let isRead) where objectClass == .thread:
      Set((isRead ? ["unread", "unseen"] : ["unread"]).map(own(tag:)))
    default: nil
    }
  }
}
