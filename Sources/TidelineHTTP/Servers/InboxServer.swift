import EventStore
public import Foundation
package import Tideline
public import TidelineSync

/// A server of the Inbox API.
///
/// All that is there is one stream that is kept up by what changed, and that can be followed. What
/// the API has no request for fails as `ServerFailure.Reason.unsupported`: tags of
/// messages but for read and starred, and reports of opening and receipt.
public struct InboxServer: Server {
  /// What servers do differently, and what is left to whoever uses one.
  package struct Options: Sendable {
    /// How many objects are asked for at a time.
    package var pageMax = 500
    /// How often a stream shows that it is there; silent for twice as long, it counts as broken.
    package var heartbeat = Duration.seconds(10)
    /// The content of a file at a path.
    package var content: @Sendable (_ path: String) throws -> [UInt8] = { path in
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      // A byte more than goes is enough to know that it doesn't.
      return Array(try file.read(upToCount: WireLimits.fileBytes + 1) ?? Data())
    }

    /// Those of a server that is not known.
    package init() {}
  }

  /// The stream that everything is in.
  package static let stream = "mail"
  /// The classes of its objects: first those that others refer to, last those that sum up others,
  /// and drafts before what they become when they are sent.
  package static let classes: [ObjectClass] = [.tag, .contact, .file, .draft, .message, .thread]

  let api: InboxAPI
  let courier: Courier
  let options: Options

  /// A server at an address.
  ///
  /// - Parameters:
  ///   - base: The address before the paths of requests.
  ///   - namespace: The namespace within which everything is, or `nil` where a token stands for
  ///     one account.
  ///   - authorization: How the token goes into the head of a request.
  ///   - content: What gives the content of a file that is to be uploaded, by the path that it was
  ///     added with; `nil` reads it from there. An app whose folder moves, as it may with each
  ///     update, adds files by paths within that folder, and finds them here. A file that is gone
  ///     for good is said to be so by `CocoaError.fileNoSuchFile`: it is given up, where with
  ///     another error it is tried again. More than 64 MiB are given up as well.
  public init(
    _ base: URL, namespace: String? = nil, authorization: Authorization = .userName,
    content: (@Sendable (_ path: String) throws -> [UInt8])? = nil
  ) {
    var options = Options()
    if let content { options.content = content }
    self.init(
      Courier(Transport.best.client(of: base), authorization), namespace: namespace, options)
  }

  /// A server that a courier speaks to.
  package init(_ courier: Courier, namespace: String? = nil, _ options: Options = Options()) {
    api = InboxAPI(namespace: namespace)
    (self.courier, self.options) = (courier, options)
  }

  /// One stream that is kept up by changes, lists by what the API filters by, one object in a
  /// request, and messages that are found by the ids of the drafts that they were.
  public var abilities: ServerAbilities {
    var stream = ServerStream(
      Self.stream, Self.classes, by: .changes, pageMax: min(options.pageMax, InboxAPI.limitMax))
    stream.isFollowed = true
    var abilities = ServerAbilities()
    abilities.streams = [stream]
    abilities.lists = ServerFilter.kindsOfAPI
    abilities.findsSent = true
    return abilities
  }
}
