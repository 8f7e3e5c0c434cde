public import EventStore

/// Rich messages and their counts at one position.
public struct RichContents: Sendable, Hashable {
  /// The position of the log.
  public let position: Position
  /// The messages in the requested window.
  public let messages: [RichMessage]
  /// The number of messages that are active and not deleted.
  public let allCount: Int
  /// The number of these that are unread.
  public let unreadCount: Int
  /// The number of these that are read.
  public let readCount: Int
  /// The number of messages that are active and deleted.
  public let deletedCount: Int
}
