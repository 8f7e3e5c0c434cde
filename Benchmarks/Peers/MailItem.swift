/// One item of a mailbox.
package struct MailItem: Sendable {
  package let number: Int
  /// The number of its group.
  package let group: Int
  /// The date in milliseconds, at a whole second; several items may share one.
  package let date: Int64
  package let isUnread: Bool
  /// Two different tags.
  package let tags: (UInt8, UInt8)

  package var id: MailID { MailID(item: number) }
  package var groupID: MailID { MailID(group: group) }

  /// The key of the item in the view of unread items.
  package var key: ViewKey { ViewKey(date: date, id: id) }
}

/// A place in a view: newest date first, then smallest id.
package struct ViewKey: Hashable, Comparable, Sendable {
  package let date: Int64
  package let id: MailID

  package init(date: Int64, id: MailID) {
    self.date = date
    self.id = id
  }

  package static func < (left: ViewKey, right: ViewKey) -> Bool {
    left.date == right.date ? left.id < right.id : left.date > right.date
  }
}
