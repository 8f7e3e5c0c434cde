import EventStore
import Tideline

// Operations acknowledged earlier (37).
extension NaiveAccount {
  /// Returns the operations on the same object, acknowledged before this one, whose wishes overlap
  /// with its own, and what is left of each.
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

  /// Removes its subject from overtaken operations.
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

  /// Returns what is left of a wish without another about the same object, if anything.
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

  /// Returns the tags that a wish is about, by their own ids; `nil` if it is about something else.
  private func tagsSaid(by wish: NaiveWish, _ objectClass: ObjectClass) -> Set<String>? {
    switch wish {
    case .tags(let removed, let added): Set((removed + added).map(own(tag:)))
    case .read(let isRead) where objectClass == .thread:
      Set((isRead ? ["unread", "unseen"] : ["unread"]).map(own(tag:)))
    default: nil
    }
  }
}
