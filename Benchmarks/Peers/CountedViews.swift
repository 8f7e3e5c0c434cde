/// Both views of a mailbox in memory, and nothing else: the minimal cost of reducing and ranking.
///
/// Items and groups are known by number, so no ids need to be looked up.
package struct CountedViews: Sendable {
  /// All groups, by the date of their last item.
  package private(set) var groups = CountedArray()
  /// The unread items, by date.
  package private(set) var unread = CountedArray()
  /// The last date of each group; 0 for a group without items.
  private var lastDates: [Int64]

  /// Creates the views of an empty mailbox.
  package init(groupCount: Int) { lastDates = Array(repeating: 0, count: groupCount) }

  /// Creates the views of a whole mailbox.
  package init(_ mailbox: Mailbox) {
    self.init(groupCount: mailbox.groupCount)
    var keys: [ViewKey] = []
    for item in (0..<mailbox.count).lazy.map({ mailbox[$0] }) {
      if item.isUnread { keys.append(item.key) }
      lastDates[item.group] = max(lastDates[item.group], item.date)
    }
    unread = CountedArray(ascending: keys.sorted())
    groups = CountedArray(
      ascending: lastDates.indices.filter { lastDates[$0] > 0 }
        .map { ViewKey(date: lastDates[$0], id: MailID(group: $0)) }.sorted())
  }

  /// Ingests a batch.
  package mutating func ingest(
    _ mailbox: Mailbox, _ batch: Range<Int>
  ) -> (groups: Edits, unread: Edits) {
    var (groupChanges, unreadChanges) = (KeyChanges(), KeyChanges())
    for number in batch {
      let item = mailbox[number]
      if item.isUnread { unreadChanges.insert(item.key) }
      let last = lastDates[item.group]
      guard item.date > last else { continue }
      let old = last == 0 ? nil : ViewKey(date: last, id: item.groupID)
      groupChanges.move(item.group, from: old, to: ViewKey(date: item.date, id: item.groupID))
      lastDates[item.group] = item.date
    }
    return (groups.apply(&groupChanges), unread.apply(&unreadChanges))
  }

  /// Marks an unread item as read, and returns its former place.
  package mutating func markRead(_ item: MailItem) -> Int { unread.erase(item.key) }

  /// Marks a read item as unread.
  package mutating func markUnread(_ item: MailItem) { unread.insert(item.key) }
}

extension CountedArray {
  fileprivate mutating func apply(_ changes: inout KeyChanges) -> Edits {
    changes.settle()
    for key in changes.removed { erase(key) }
    for key in changes.inserted { insert(key) }
    return changes.edits(rank: rank)
  }
}
