public import EventStore
public import Foundation

/// A tag of threads: a label, a folder or a state such as unread.
public struct Tag: Model {
  /// The id assigned by the server, or a temporary one.
  public let id: String
  /// The number of the account that the object belongs to.
  public let account: UInt32
  /// The fields reported by some source; see ``Model/known``.
  public var known: Int64 = -1
  /// The server's version of the object, if the server counts versions.
  public var version: Int?
  /// When the server created the object.
  public var createdAt: Date?
  /// When the server last changed the object.
  public var updatedAt: Date?
  /// Data from the server that no other property holds, as JSON.
  public var unknownFields: TextReference?
  /// The id that the server assigned later, if it differs from `id`; either one finds the object.
  public var serverID: String?
  /// The name assigned by the server.
  public var providedName: String?
  /// Whether it can be neither renamed nor deleted.
  public var isReadOnly: Bool = false
  /// The number of unread threads with the tag, as reported by the server.
  public var unreadCount: Int?
  /// The number of threads with the tag, as reported by the server.
  public var threadCount: Int?

  /// Creates a complete tag without values.
  ///
  /// For a partial one, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// Computed properties.
extension Tag {
  /// The name, folded for ordering tags.
  public var foldedName: FoldedText { FoldedText(name) }
  /// The server's name, or the capitalized id if that is missing or empty.
  public var name: String {
    providedName?.nonempty ?? id.prefix(1).uppercased() + id.dropFirst()
  }
}
