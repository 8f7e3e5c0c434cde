import EventStore
public import Foundation
import Synchronization
import Tideline
public import TidelineSync

/// A server of rich inboxes; see <doc:RichInboxProtocol>.
///
/// It tells of all messages each time, or that they are those that it told of last, and is told of
/// many at once. What the protocol has no request for, such as a single message or tags, fails as
/// `ServerFailure.Reason.unsupported`.
public struct RichInboxServer: Server {
  /// The stream that everything is in.
  package static let stream = "rich"

  let courier: Courier
  /// What was answered last.
  private let recent = Recent()

  /// A server at an address.
  ///
  /// - Parameters:
  ///   - base: The address before the paths of requests.
  ///   - authorization: How the token goes into the head of a request.
  public init(_ base: URL, authorization: Authorization = .bearer) {
    self.init(Courier(URLSessionClient(base), authorization))
  }

  /// A server that a courier speaks to.
  package init(_ courier: Courier) { self.courier = courier }

  /// One list that is told whole, a thousand messages in a request, and receipts.
  public var abilities: ServerAbilities {
    var abilities = ServerAbilities()
    abilities.streams = [ServerStream(Self.stream, [.rich], by: .list)]
    abilities.partsMax = StatusUpload.itemsMax
    abilities.wantsReceipts = true
    return abilities
  }

  /// All messages; where the server says that nothing has changed, what it answered last.
  ///
  /// - Throws: `ServerFailure`, also for what is no answer of such a server.
  public func answer(
    _ question: Question, token: Token?
  ) async throws(ServerFailure) -> Answer {
    guard case .all(.rich) = question else { throw ServerFailure(.unsupported) }
    let known = recent.known(to: token)
    let answer = try await courier.answer(
      to: RichPage.request(unlessIs: known?.etag), token, for: .question,
      unless: { $0.status == 304 && known != nil })
    if answer.status == 304, var told = known?.answer {
      told.status = 304
      return told
    }
    let told = Answer(try answer.read(RichPage.init), Int64(answer.status))
    recent.keep(told, answer, for: token)
    return told
  }

  /// What becomes of each part, all of them told at once.
  ///
  /// - Throws: `ServerFailure`, which holds for all of them.
  public func perform(
    _ request: ServerRequest, token: Token?
  ) async throws(ServerFailure) -> Settlement {
    // What is behind as many as go at once is not mentioned.
    let parts = request.parts.prefix(StatusUpload.itemsMax)
    let items = parts.map { part in
      part.state.map { StatusUpload.Item(part.id, $0) }
    }
    let upload = StatusUpload(items.compactMap(\.self), key: request.key)
    guard !upload.items.isEmpty else { throw ServerFailure(.unsupported) }
    let answer = try await courier.answer(to: upload.request(), token, for: .repeatable)
    var told = StatusAnswer(answer.body.payloadBytes, to: upload).outcomes.makeIterator()
    let outcomes = items.map { item -> PartOutcome in
      item == nil ? .failed(ServerFailure(.unsupported)) : told.next() ?? .unmentioned
    }
    return Settlement(outcomes, status: Int64(answer.status))
  }
}

extension Answer {
  /// All messages.
  fileprivate init(_ page: RichPage, _ status: Int64) {
    self.init()
    take(page.items, status)
    isComplete = page.isComplete
    refreshAfter = page.refreshInterval.map { .milliseconds($0) }
  }
}

extension ServerRequest.Part {
  /// What is told of a message, or `nil` where the protocol has no word for it.
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

/// What a server answered last, and to whom, for when it says that nothing has changed since.
///
/// Whoever asks may not have taken in what was answered before; so all of it is told again.
private final class Recent: Sendable {
  struct Known {
    let token: Token?
    let etag: String
    let answer: Answer
  }

  private let known = Mutex<Known?>(nil)

  /// What is known to whoever has a token.
  func known(to token: Token?) -> Known? {
    known.withLock { known in known?.token == token ? known : nil }
  }

  /// Keeps an answer, if it is marked and not too long.
  func keep(_ told: Answer, _ answer: HTTPAnswer, for token: Token?) {
    let etag = answer.body.count <= WireLimits.keptBytes ? answer.headers["etag"] : nil
    known.withLock { $0 = etag.map { Known(token: token, etag: $0, answer: told) } }
  }
}
