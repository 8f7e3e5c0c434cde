package import EventStore
import Tideline
package import TidelineHTTP
package import TidelineSimulator
import TidelineSync

/// What simulated servers answer over HTTP: a request in, a reply out, and nothing else.
///
/// Mail is asked for as the Inbox API has it, rich messages by their own protocol; what nobody asks
/// of a server but who tests with it is under `/_tideline/`. See <doc:TidelineServer>.
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
  /// The bytes of files, by their ids.
  var contents: [String: [UInt8]] = [:]
  /// Told of each alert, a line of JSON.
  var tellAlert: (String) -> Void = { _ in }

  /// A router of servers, of which one may be missing.
  ///
  /// - Parameters:
  ///   - seed: What mail that comes is drawn from.
  ///   - incarnation: What tells what happens from now on from what happened to other servers that
  ///     began with the same: cursors of those are not known here.
  ///   - tellAlert: Told of each alert that devices are sent, a line of JSON.
  package init(
    mail: MailServer? = nil, rich: RichServer? = nil, seed: UInt64 = 0, incarnation: Int = 0,
    tellAlert: @escaping (String) -> Void = { _ in }
  ) {
    self.mail = mail
    self.rich = rich
    self.tellAlert = tellAlert
    world = World(mail: mail, rich: rich, isLifelike: true)
    dice = Dice(seed: seed)
    cursors = CursorBook(seeded: mail?.changed(behind: .max).last ?? 0, incarnation: incarnation)
    mail?.skipIDs(to: incarnation)
  }

  /// Has all pages be at hand before somebody asks for them.
  package mutating func prepare() {
    guard let mail else { return }
    catalog.prepare(of: mail)
  }

  /// What is sent to a request.
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

  /// What is sent where nothing goes wrong on the way.
  private mutating func answer(to request: HTTPRequest, _ target: RequestTarget) -> Reply.Content {
    do throws(Refusal) {
      let call = Call(request, target)
      return target.parts.first == "inbox" ? try askRich(call) : try askMail(call)
    } catch {
      return .whole(error.answer)
    }
  }

  /// Has it be that late; the clock of mail goes by whole seconds, as the API's times do.
  mutating func advance(to now: Timestamp) {
    mail?.advance(to: Timestamp(rawValue: now.rawValue / 1000 * 1000))
    rich?.advance(to: now)
  }
}

/// A request that is being answered.
struct Call {
  let request: HTTPRequest
  let target: RequestTarget
  /// What shows who asks.
  let token: Token?

  init(_ request: HTTPRequest, _ target: RequestTarget) {
    self.request = request
    self.target = target
    token = request.header("authorization").flatMap(Token.init(authorization:))
  }

  /// The method and the parts of the path, as routes are told apart.
  var route: (String, [String]) { (request.method, target.parts) }

  /// What was sent.
  func body() throws(Refusal) -> RequestBody { try RequestBody(request.body) }

  /// By what the server knows the request if it gets it twice.
  var key: OperationKey {
    guard let digits = request.header("idempotency-key"), digits.utf8.count == 32,
      let low = UInt64(digits.prefix(16), radix: 16),
      let high = UInt64(digits.suffix(16), radix: 16)
    else { return OperationKey() }
    return OperationKey(low: low, high: high)
  }
}

extension Reply {
  /// Has a fault show.
  fileprivate mutating func spoil(by fault: WireFault?) {
    switch fault {
    case .delay(let delay)?: self.delay = delay
    case .cut?: isCut = true
    default: break
    }
  }
}
