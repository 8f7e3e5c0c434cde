public import EventStore
public import Foundation

/// A file that is, or will be, attached to messages.
public struct Attachment: Model {
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
  /// The file's name.
  public var filename: String?
  /// The media type, such as `image/jpeg`.
  public var contentType: String?
  /// How many bytes it has.
  public var size: Int?
  /// What a body names the file by.
  public var contentID: String?
  /// The ids of the messages that it is attached to.
  public var messageIDs: Set<String> = []
  /// Where its content is on this device.
  ///
  /// Of a file to be uploaded it is as that says; of another as the app says that has loaded it, by
  /// ``Delivery/add(_:body:texts:)``.
  public var localPath: String?

  /// A file without values, all of it: of a part, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
  }
}

// What is computed of the rest.
extension Attachment {
  /// The name as files are ordered by.
  public var foldedFilename: FoldedText { FoldedText(filename ?? "") }
}
