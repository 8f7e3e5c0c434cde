package import EventStore

/// Marking a thread and marking its messages as read or unread concern each other.
extension StoreSnapshot {
  /// Returns the open operations that mark a message's thread, or a thread's messages.
  ///
  /// - Parameter standing: The standing of the message.
  /// - Complexity: O(log n) for each operation on the thread, or on a message of it
  package func markings(
    concerning id: String, _ kind: ObjectKind, of account: UInt32, _ standing: ServerStanding
  ) throws -> [RowID] {
    let related =
      switch kind.objectClass {
      case .message: operations(onThreadOf: standing, account)
      case .thread: try operations(onMessagesOf: id, account)
      default: [RowID]()
      }
    return related.filter { operation in
      var action: Operations.Action?
      lend(operation, in: Operations.collection) { action = $0[Operations.action] }
      return action == .markRead
    }
  }

  private func operations(onThreadOf message: ServerStanding, _ account: UInt32) -> [RowID] {
    var thread: String?
    lend(message.base, in: message.bases) { thread = $0[Messages.threadID] }
    guard let thread else { return [] }
    let overlay = value(
      of: InboxFields.overlay, in: "\(account)/\(thread)", of: Threads.collection)
    return operations(from: overlay?.operation)
  }

  private func operations(onMessagesOf thread: String, _ account: UInt32) throws -> [RowID] {
    let list = ListName(InboxViews.openMessagesOfThread, by: thread, of: account)
    return try rowIDs(of: list, in: 0..<count(of: list)).flatMap { base in
      let overlay = id(of: base, in: Bases.messages).flatMap {
        value(of: InboxFields.overlay, in: $0, of: Messages.collection)
      }
      return operations(from: overlay?.operation)
    }
  }
}
