public import Tideline

/// What a server can do, and how much at a time.
public struct ServerAbilities: Hashable, Sendable {
  /// The streams that it offers.
  public var streams: [ServerStream] = []
  /// The classes that the server can list, each with the filters it supports.
  public var lists: [ObjectClass: Set<ServerFilter.Kind>] = [:]
  /// The most requests in parallel, and as many questions about objects and lists besides.
  ///
  /// The effective value lies between 1 and ``requestsLimit``.
  public var requestsMax = 4
  /// The most objects in one request whose parts all want the same.
  ///
  /// A retry has the same objects and thus the same key as before, unless some of them are settled.
  /// A late request that arrives after newer ones is then recognizable to the server only by its
  /// versions.
  public var partsMax = 1
  /// Whether to report the receipt of rich messages, if analytics are allowed.
  public var wantsReceipts = false
  /// Whether the server can tell if a draft was sent, by the message's id or by the draft's.
  public var findsSent = false

  /// The most parallel requests to a server.
  public static let requestsLimit = 256

  /// The most objects requested at a time.
  static let pageLimit = 1 << 20

  /// Creates abilities without streams.
  public init() {}

  /// Whether one request may be about several objects.
  var takesMany: Bool { partsMax > 1 }

  /// The same abilities within the supported limits.
  var bounded: ServerAbilities {
    var abilities = self
    abilities.requestsMax = min(max(requestsMax, 1), Self.requestsLimit)
    for place in streams.indices {
      abilities.streams[place].pageMax = min(max(streams[place].pageMax, 1), Self.pageLimit)
    }
    return abilities
  }
}

/// A part of a server's data that is kept up to date independently.
public struct ServerStream: Hashable, Sendable {
  /// How a stream is kept up to date.
  public enum Manner: Hashable, Sendable {
    /// By the changes since a cursor.
    ///
    /// Without a cursor, one is requested first, then all objects, then the changes since.
    case changes
    /// By the whole list of objects each time.
    ///
    /// If the stream has one class and the server marks the list, it is sent only if changed.
    case list
  }

  /// The name under which the stream's cursor is stored.
  ///
  /// It has at most a few hundred characters and is unique among the server's streams. If it
  /// changes, everything is listed again.
  public var name: String
  /// The classes of the stream's objects.
  ///
  /// Classes that others refer to come first, and those that summarize others last, such as threads
  /// after their messages.
  ///
  /// A stream without classes is not kept up to date.
  public var classes: [ObjectClass]
  /// How the stream is kept up to date.
  public var manner: Manner
  /// The number of objects to request at a time, at least 1 and at most about a million.
  public var pageMax: Int
  /// Whether the server can report changes in the stream as they happen.
  public var isFollowed = false

  /// Creates a stream.
  public init(_ name: String, _ classes: [ObjectClass], by manner: Manner, pageMax: Int = 500) {
    self.name = name
    self.classes = classes
    self.manner = manner
    self.pageMax = pageMax
  }
}
