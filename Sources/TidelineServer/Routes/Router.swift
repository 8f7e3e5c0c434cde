package import EventStore
import Tideline
package import TidelineHTTP
package import TidelineSimulator
import TidelineSync

/// The HTTP interface of simulated servers: it turns a request into a reply, and does nothing else.
///
/// Mail follows the Inbox API, and rich messages their own protocol. The control interface for
/// tests is under `/_tideline/`. See <doc:TidelineServer>.
package struct Router {
  let mail: MailServer?
  package let rich: RichServer?
  /// The faults that wait for requests.
  package var faults = FaultPlan()
  var world: World
  var dice: Dice
  var catalog = Catalog()
  let richMarks = RichMarks()
  var cursors: CursorBook
  /// The content of files, by id.
  var contents: [String: [UInt8]] = [:]
  /// Receives each alert, a line of JSON.
  var tellAlert: (String) -> Void = { _ in }

  /// Creates a router of servers, either of which may be missing.
  ///
  /// - Parameters:
  ///   - seed: The seed for arriving mail.
  ///   - incarnation: Distinguishes events from now on from those of other servers that started
  ///     with the same content; their later cursors are unknown here.
  ///   - tellAlert: Receives each alert sent to devices, a line of JSON.
  package init(
    mail: MailServer? = nil, rich: RichServer? = nil, seed: UInt64 = 0, incarnation: Int = 0,
    tellAlert: @escaping (String) -> Void = { _ in }
  ) {
    self.mail = mail
    self.rich = rich
    self.tellAlert = tellAlert
    world = World(mail: mail, rich: rich, isLifelike: true)
    dice = Dice(seed: seed)
    cursors = CursorBook(seeded: mail?.changed(after: .max).last ?? 0, incarnation: incarnation)
    mail?.skipIDs(to: incarnation)
  }

  /// Prepares all pages before the first request.
  package mutating func prepare() {
    guard let mail else { return }
    catalog.prepare(of: mail)
  }

  /// Returns the reply to a request.
  package mutating func reply(to request: HTTPRequest, at now: Timestamp) -> Reply {
    do throws(Refusal) {
      let target = try RequestTarget(request.path)
      if target.parts.first == "_tideline" { return Reply(try control(request, target, now)) }
      return try reply(to: request, target, at: now)
    } catch {
      return Reply(error.answer)
    }
  }

  private mutating func reply(
    to request: HTTPRequest, _ target: RequestTarget, at now: Timestamp
  ) throws(Refusal) -> Reply {
    let fault = faults.take(for: request.method, target.path)
    if let answer = fault?.answer { return Reply(answer) }
    advance(to: now)
    var reply = Reply(answer(to: request, target))
    reply.spoil(by: fault)
    return reply
  }

  /// Returns the reply to a request that has no fault.
  private mutating func answer(to request: HTTPRequest, _ target: RequestTarget) -> Reply.Content {
    do throws(Refusal) {
      let call = Call(request, target)
      return target.parts.first == "inbox" ? try askRich(call) : try askMail(call)
    } catch {
      return .whole(error.answer)
    }
  }

  /// Advances the servers to a time; the mail server in whole seconds, as in the API.
  mutating func advance(to now: Timestamp) {
    mail?.advance(to: Timestamp(rawValue: now.rawValue / 1000 * 1000))
    rich?.advance(to: now)
  }
}

/// A request being answered.
struct Call {
  let request: HTTPRequest
  let target: RequestTarget
  /// The token of the sender.
  let token: Token?

  init(_ request: HTTPRequest, _ target: RequestTarget) {
    self.request = request
    self.target = target
    token = request.header("authorization").flatMap(Token.init(authorization:))
  }

  /// The method and the path's parts, which determine the route.
  var route: (String, [String]) { (request.method, target.parts) }

  /// Returns the body.
  func body() throws(Refusal) -> RequestBody { try RequestBody(request.body) }

  /// The key by which the server recognizes a repeated request.
  var key: OperationKey {
    guard let digits = request.header("idempotency-key"), digits.utf8.count == 32,
      let low = UInt64(digits.prefix(16), radix: 16),
      let high = UInt64(digits.suffix(16), radix: 16)
    else { return OperationKey() }
    return OperationKey(low: low, high: high)
  }
}

extension Reply {
  /// Applies a fault to the reply.
  fileprivate mutating func spoil(by fault: WireFault?) {
    switch fault {
    case .delay(let delay)?: self.delay = delay
    case .cut?: isCut = true
    default: break
    }
  }
}
