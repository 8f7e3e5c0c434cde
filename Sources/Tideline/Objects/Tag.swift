public import EventStore
public import Foundation

/// A tag of threads: a label, a folder, or a state such as unread.
public struct Tag: Model {
  /// The id that the server gave, or a temporary one.
  public let id: String
  /// The number of the account that it belongs to.
  public let account: UInt32
  /// The fields that some source has told of; see ``Model/known``.
  public var known: Int64 = -1
  /// The server's version of the object, where it counts them.
  public var version: Int?
  /// When the server made the object.
  public var createdAt: Date?
  /// When the server last changed the object.
  public var updatedAt: Date?
  /// What the server said beyond the other properties, as JSON.
  public var unknownFields: TextReference?
  /// The id that the server has given it since, if that is another than `id`; both find it.
  public var serverID: String?
  /// The name that the server gave.
  public var providedName: String?
  /// Whether it can neither be renamed nor deleted.
  public var isReadOnly: Bool = false
  /// How many unread threads have it, as the server says.
  public var unreadCount: Int?
  /// How many threads have it, as the server says.
  public var threadCount: Int?

  /// A tag without values, all of it: of a part, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// What is computed of the rest.
extension Tag {
  /// The name as tags are ordered by.
  public var foldedName: FoldedText { FoldedText(name) }
  /// The name, or else, also where that is empty, the id with a capital.
  public var name: String {
    providedName?.nonempty ?? id.prefix(1).uppercased() + id.dropFirst()
  }
}
