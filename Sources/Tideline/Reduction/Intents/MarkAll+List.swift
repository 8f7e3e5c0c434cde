import EventStore

extension MarkAll {
  /// Where things are that all are meant of: a list by date, the last first.
  struct List {
    let view: String
    /// The tag of an account whose list it is; without it, it is the account's.
    var tag: String?
    let date: Field<Timestamp>

    /// What the list of an account is called.
    func name(of account: UInt32) -> ListName {
      tag.map { ListName(view, by: $0, of: account) } ?? ListName(view, of: account)
    }
  }

  /// The list in which the things are; `nil` where they are in none.
  var list: List? {
    switch (objectClass, action) {
    case (.rich, .read): List(view: InboxViews.unreadRich, date: RichMessages.effectiveDate)
    case (.rich, .deleted): List(view: InboxViews.allRich, date: RichMessages.effectiveDate)
    case (.thread, .read):
      List(view: InboxViews.threadsByTag, tag: "unread", date: Threads.effectiveDate)
    case (.thread, .seen):
      List(view: InboxViews.threadsByTag, tag: "unseen", date: Threads.effectiveDate)
    case (.message, .read): List(view: InboxViews.unreadMessages, date: Messages.effectiveDate)
    default: nil
    }
  }
}
