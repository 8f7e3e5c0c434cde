/// A data set with the shape of mail, the same for everybody and each time: items in groups of
/// three on average, each with a date, a flag, two tags and some text.
///
/// Nothing is stored: an item is computed from its number, in some nanoseconds.
package struct Mailbox: Sendable {
  /// In what order items arrive.
  package enum Order: String, Sendable {
    /// Each with any date, for any group.
    case random
    /// The newest first, those of a group close to each other: how mail really arrives.
    case newestFirst = "newest first"
  }

  /// How many items there are.
  package let count: Int
  package let order: Order
  /// Whether all items are unread, rather than three in ten.
  package let isAllUnread: Bool

  /// The newest item's date, in milliseconds.
  private static let newest: Int64 = 1_700_000_000_000
  /// The seconds that the dates are spread over: nearly three years.
  private static let span: Int64 = 90_000_000
  /// How many kinds of tag there are.
  package static let tagCount: UInt64 = 50
  /// How far apart in arrival the items of a group may be that comes clustered.
  private static let cluster: UInt64 = 48

  package init(count: Int, order: Order = .random, isAllUnread: Bool = false) {
    self.count = count
    self.order = order
    self.isAllUnread = isAllUnread
  }

  /// How many groups the items may belong to; a few of them come by none.
  package var groupCount: Int { max(count / 3, 1) }

  /// The item that arrives as number `number`, from 0.
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
