import EventStore

extension MarkAll {
  /// The list that contains the objects to mark, sorted by date, latest first.
  struct List {
    let view: String
    /// The tag whose list it is; if `nil`, it is the whole account's.
    var tag: String?
    let date: Field<Timestamp>

    /// Returns the name of an account's list.
    func name(of account: UInt32) -> ListName {
      tag.map { ListName(view, by: $0, of: account) } ?? ListName(view, of: account)
    }
  }

  /// The list of the objects; `nil` if no list contains them.
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
