import EventStore
public import Foundation
package import Tideline
public import TidelineSync

/// A server of the Inbox API.
///
/// All objects are in one stream, which is kept up to date by changes and can be followed.
/// Operations for which the API has no request fail with `ServerFailure.Reason.unsupported`: tags
/// of messages other than read and starred, and reports of opening and receipt.
public struct InboxServer: Server {
  /// The settings in which servers and their users differ.
  package struct Options: Sendable {
    /// The number of objects requested at a time.
    package var pageMax = 500
    /// The interval of a stream's heartbeats; after two intervals of silence it counts as broken.
    package var heartbeat = Duration.seconds(10)
    /// A closure that returns the content of the file at a path.
    package var content: @Sendable (_ path: String) throws -> [UInt8] = { path in
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      // One byte more than the limit suffices to detect that the file is too large.
      return Array(try file.read(upToCount: WireLimits.fileBytes + 1) ?? Data())
    }

    /// Creates the options of an unknown server.
    package init() {}
  }

  /// The stream that contains all objects.
  package static let stream = "mail"
  /// The classes of its objects.
  ///
  /// Classes that others refer to come first, and those that summarize others last; drafts precede
  /// the messages they become.
  package static let classes: [ObjectClass] = [.tag, .contact, .file, .draft, .message, .thread]

  /// The maximum number of streams and downloads at a time, of all accounts.
  private static let streamsMax = 256

  let api: InboxAPI
  let courier: Courier
  let options: Options

  /// Creates a server at an address.
  ///
  /// - Parameters:
  ///   - base: The address before the paths of requests.
  ///   - namespace: The namespace of all objects, or `nil` if a token stands for one account.
  ///   - authorization: How the token is put into request heads.
  ///   - headers: Further header fields of every request, such as `X-API-Key` or `User-Agent`. A
  ///     request's own field replaces one of the same name, as the token's `Authorization` does.
  ///     Traps if a name is not one, differs from another by case only, or says how a request is
  ///     carried, such as `Host` or `Content-Length`; and if a value is empty or has several lines.
  ///   - timeout: The maximum silence on a question, which must be positive. Operations wait twice
  ///     as long, and those that must not happen twice, such as sending, four times as long.
  ///   - content: Returns the content of a file to upload, by the path it was added with; `nil`
  ///     reads the file at that path. An app whose folder may move, as with an update, adds files
  ///     by paths within that folder and resolves them here. For a file that is permanently gone,
  ///     throw `CocoaError.fileNoSuchFile`: the upload is then abandoned; after other errors it is
  ///     retried. More than 64 MiB are abandoned as well.
  public init(
    _ base: URL, namespace: String? = nil, authorization: Authorization = .userName,
    headers: [String: String] = [:], timeout: Duration = .seconds(30),
    content: (@Sendable (_ path: String) throws -> [UInt8])? = nil
  ) {
    var options = Options()
    if let content { options.content = content }
    let courier = Courier(
      base, authorization, headers: headers, timeout: timeout, streamsMax: Self.streamsMax)
    self.init(courier, namespace: namespace, options)
  }

  /// Creates a server that a courier talks to.
  package init(_ courier: Courier, namespace: String? = nil, _ options: Options = Options()) {
    api = InboxAPI(namespace: namespace)
    (self.courier, self.options) = (courier, options)
  }

  /// One stream kept up to date by changes, lists by the API's filters, single objects, and sent
  /// messages found by their drafts' ids.
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
