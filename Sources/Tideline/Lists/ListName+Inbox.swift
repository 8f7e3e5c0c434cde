package import EventStore

extension ListName {
  /// The list of an account, in a view that is in groups by accounts.
  package init(_ view: String, of account: UInt32) {
    self.init(view, group: .number(Int64(account)))
  }

  /// The list of a tag, a thread or an address of an account, in a view that is in groups by them.
  package init(_ view: String, by text: String, of account: UInt32) {
    self.init(view, group: .text(text), scope: Int64(account))
  }

  /// The operations of an intent.
  package static func operations(of intent: RecordNumber) -> ListName {
    ListName(
      InboxViews.operationsOfIntent, group: .number(Int64(clamping: intent.rawValue)))
  }
}
