import EventStore
public import Foundation
import Tideline
public import TidelineSync

/// A server of rich inboxes; see <doc:RichInboxProtocol>.
///
/// It answers with all messages each time, or that nothing has changed since its last mark, and
/// accepts many status changes at once. Operations without a request in the protocol, such as a
/// single message or tags, fail with `ServerFailure.Reason.unsupported`.
public struct RichInboxServer: Server {
  /// The stream that contains all messages.
  package static let stream = "rich"

  let courier: Courier

  /// Creates a server at an address.
  ///
  /// - Parameters:
  ///   - base: The address before the paths of requests.
  ///   - authorization: How the token is put into request heads.
  ///   - headers: Further header fields of every request, such as `X-API-Key` or `User-Agent`. A
  ///     request's own field replaces one of the same name, as the token's `Authorization` does.
  ///     Traps if a name is not one, differs from another by case only, or says how a request is
  ///     carried, such as `Host` or `Content-Length`; and if a value is empty or has several lines.
  ///   - timeout: The maximum silence on a question, which must be positive. Reports of what the
  ///     person did wait twice as long.
  public init(
    _ base: URL, authorization: Authorization = .bearer, headers: [String: String] = [:],
    timeout: Duration = .seconds(30)
  ) {
    self.init(Courier(base, authorization, headers: headers, timeout: timeout))
  }

  /// Creates a server that a courier talks to.
  package init(_ courier: Courier) { self.courier = courier }

  /// One list answered as a whole, a thousand messages in a request, and receipts.
  public var abilities: ServerAbilities {
    var abilities = ServerAbilities()
    abilities.streams = [ServerStream(Self.stream, [.rich], by: .list)]
    abilities.partsMax = StatusUpload.itemsMax
    abilities.wantsReceipts = true
    return abilities
  }

  /// Returns all messages, with their `ETag` as the mark.
  ///
  /// - Throws: `ServerFailure`, also if the answer is not that of such a server.
  public func answer(
    _ question: Question, token: Token?
  ) async throws(ServerFailure) -> Answer {
    guard case .all(.rich, let mark) = question else { throw ServerFailure(.unsupported) }
    let answer = try await courier.answer(
      to: RichPage.request(unlessIs: mark), token, for: .question,
      unless: { $0.status == 304 && mark != nil })
    guard answer.status != 304 else {
      return Answer { ($0.isUnchanged, $0.status) = (true, 304) }
    }
    var told = Answer(try answer.read(RichPage.init), Int64(answer.status))
    let etag = answer.headers["etag"]
    told.cursor = etag.flatMap { $0.utf8.count <= WireLimits.idBytes ? $0 : nil }
    return told
  }

  /// Performs all parts in one request, and returns their outcomes.
  ///
  /// - Throws: `ServerFailure`, which applies to all parts.
  public func perform(
    _ request: ServerRequest, token: Token?
  ) async throws(ServerFailure) -> Settlement {
    // Parts beyond the limit of a request remain unmentioned.
    let parts = request.parts.prefix(StatusUpload.itemsMax)
    let items = parts.map { part in
      part.state.map { state in
        StatusUpload.Item(
          part.id, state, requestID: part.requestID, at: part.wantedAt.map { $0.kept })
      }
    }
    let upload = StatusUpload(items.compactMap(\.self), key: request.key)
    guard !upload.items.isEmpty else { throw ServerFailure(.unsupported) }
    let (told, status) = try await outcomes(of: upload, token)
    var rest = told.makeIterator()
    let outcomes = items.map { item -> PartOutcome in
      item == nil ? .failed(ServerFailure(.unsupported)) : rest.next() ?? .unmentioned
    }
    return Settlement(outcomes, status: status)
  }

  /// Returns the outcome of each item.
  ///
  /// If the inbox no longer exists, nothing is left to report, and the outcomes say nothing about
  /// the messages.
  private func outcomes(
    of upload: StatusUpload, _ token: Token?
  ) async throws(ServerFailure) -> ([PartOutcome], status: Int64?) {
    do throws(ServerFailure) {
      let answer = try await courier.answer(to: upload.request(), token, for: .repeatable)
      let told = StatusAnswer(answer.body.payloadBytes, to: upload).outcomes
      return (told, Int64(answer.status))
    } catch {
      guard error.reason == .notFound else { throw error }
      return (upload.items.map { _ in .done() }, error.status)
    }
  }
}

extension Answer {
  /// Creates an answer with all messages.
  fileprivate init(_ page: RichPage, _ status: Int64) {
    self.init()
    take(page.items, status)
    isComplete = page.isComplete
    refreshAfter = page.refreshInterval.map { .milliseconds($0) }
  }
}

extension ServerRequest.Part {
  /// The state to report for a message, or `nil` if the protocol has none.
  fileprivate var state: StatusUpload.State? {
    switch (objectClass, wanted) {
    case (.rich, .read(let isRead)): isRead ? .read : .unread
    case (.rich, .deletion): .deleted
    case (.rich, .opening): .opened
    case (.rich, .receipt): .received
    default: nil
    }
  }
}
