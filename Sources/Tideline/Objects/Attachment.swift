public import EventStore
public import Foundation

/// A file that is or will be attached to messages.
public struct Attachment: Model {
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
  /// The file's name.
  public var filename: String?
  /// The media type, such as `image/jpeg`.
  public var contentType: String?
  /// The size in bytes.
  public var size: Int?
  /// The id by which a message body refers to the file.
  public var contentID: String?
  /// The ids of the messages that the file is attached to.
  public var messageIDs: Set<String> = []
  /// Where the content is stored on this device.
  ///
  /// The folder of an app moves, as with an update, while a path within it stays right: whoever
  /// reads the file resolves it, such as the `content` of an `InboxServer` for an upload.
  ///
  /// For a file to be uploaded, the upload action sets it. A download by synchronization sets it
  /// too; otherwise the app that loaded the file reports it with ``Delivery/add(_:body:texts:)``.
  public var localPath: String?

  /// Creates a complete file without values.
  ///
  /// For a partial one, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// Computed properties.
extension Attachment {
  /// The name, folded for ordering files.
  public var foldedFilename: FoldedText { FoldedText(filename ?? "") }
}
