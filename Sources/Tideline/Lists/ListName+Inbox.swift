package import EventStore

extension ListName {
  /// Creates the name of an account's list in a view that is grouped by account.
  package init(_ view: String, of account: UInt32) {
    self.init(view, group: .number(Int64(account)))
  }

  /// Creates the name of the list of a tag, thread or address of an account, in a view grouped by
  /// it.
  package init(_ view: String, by text: String, of account: UInt32) {
    self.init(view, group: .text(text), scope: Int64(account))
  }

  /// The list of an intent's operations.
  package static func operations(of intent: RecordNumber) -> ListName {
    ListName(
      InboxViews.operationsOfIntent, group: .number(Int64(clamping: intent.rawValue)))
  }
}
