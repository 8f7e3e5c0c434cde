public import EventStore

/// Rich messages, and how many there are, at one position.
public struct RichContents: Sendable, Hashable {
  /// Where the log stood.
  public let position: Position
  /// The messages that were asked for.
  public let messages: [RichMessage]
  /// How many are active and not deleted.
  public let allCount: Int
  /// How many of these are unread.
  public let unreadCount: Int
  /// How many of these are read.
  public let readCount: Int
  /// How many are active and deleted.
  public let deletedCount: Int
}
