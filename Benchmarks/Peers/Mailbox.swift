/// A reproducible data set shaped like mail: items in groups of three on average, each with a date,
/// a flag, two tags and some text.
///
/// Nothing is stored: an item is computed from its number, in some nanoseconds.
package struct Mailbox: Sendable {
  /// The order in which items arrive.
  package enum Order: String, Sendable {
    /// Each item has any date and any group.
    case random
    /// The newest first, and items of a group close together, as real mail arrives.
    case newestFirst = "newest first"
  }

  /// The number of items.
  package let count: Int
  package let order: Order
  /// Whether all items are unread, rather than three in ten.
  package let isAllUnread: Bool

  /// The date of the newest item, in milliseconds.
  private static let newest: Int64 = 1_700_000_000_000
  /// The span of the dates in seconds: nearly three years.
  private static let span: Int64 = 90_000_000
  /// The number of different tags.
  package static let tagCount: UInt64 = 50
  /// The maximum distance in arrival between the items of a clustered group.
  private static let cluster: UInt64 = 48

  package init(count: Int, order: Order = .random, isAllUnread: Bool = false) {
    self.count = count
    self.order = order
    self.isAllUnread = isAllUnread
  }

  /// The number of groups that items may belong to; a few groups stay empty.
  package var groupCount: Int { max(count / 3, 1) }

  /// Returns the item that arrives as number `number`, from 0.
  package subscript(number: Int) -> MailItem {
    let random = mixed(~UInt64(number))
    let tag = (random >> 16) % Self.tagCount
    let other = (tag + 1 + (random >> 24) % (Self.tagCount - 1)) % Self.tagCount
    return MailItem(
      number: number, group: group(number, random), date: date(number, random),
      isUnread: isAllUnread || random % 10 < 3, tags: (UInt8(tag), UInt8(other)))
  }

  private func group(_ number: Int, _ random: UInt64) -> Int {
    switch order {
    case .random: Int(mixed(random) % UInt64(groupCount))
    case .newestFirst: min((number + Int(mixed(random) % Self.cluster)) / 3, groupCount - 1)
    }
  }

  private func date(_ number: Int, _ random: UInt64) -> Int64 {
    let age =
      switch order {
      case .random: Int64(((random >> 32) * UInt64(Self.span)) >> 32)
      case .newestFirst: Int64(number) * Self.span / Int64(count)
      }
    return Self.newest - age * 1000
  }
}
