import EventStore
import Tideline
import TidelineSync

/// Sending and its results.
extension Simulation {
  /// Sends a request, unless it is no longer wanted.
  func send(_ departure: Departure, _ login: Login, _ place: Int) {
    let (id, request) = (departure.id, departure.request)
    let views = devices[place].store.views
    guard views.allows(departure, of: login, at: time(place)) else {
      return plan(.hears(.keptBack(id), login), place, after: .zero)
    }
    note(request, of: departure.intent, login, place)
    noteOperations(of: departure, Sender(place: place, account: login.account))
    send(.request(id, request), login, place)
  }

  /// Notes the sender of a request, and checks that its record is durable.
  private func note(
    _ request: ServerRequest, of intent: RecordNumber, _ login: Login, _ place: Int
  ) {
    let device = devices[place]
    if request.parts.count == 1, request.key != OperationKey() {
      senders[request.key] = (Sender(place: place, account: login.account), intent)
    }
    for part in request.parts where part.wanted.isMaking { makings[part.id, default: 0] += 1 }
    checkLogin(login, of: intent, device)
    if request.parts.contains(where: \.wanted.isSending) { checkThoughts(login, intent, device) }
    let start = device.ledgers[login.account]?.start(of: intent)
    guard start.map(device.store.hasFlushed) != true || !device.store.hasFlushed(intent) else {
      return
    }
    violate(.durableFirst, "\(device.name) sends \(intent), which is not durable")
  }

  /// Checks that a request is sent for the account that wanted it, which is logged in or being
  /// flushed.
  private func checkLogin(
    _ login: Login, of intent: RecordNumber, _ device: SimulatedDevice
  ) {
    let (own, ledger) = (device.store.login(of: intent), device.ledgers[login.account])
    let isOwn = own?.account == login.account && ledger?.isDropped(intent) != true
    let mayFlush = ledger.map { isFlushing($0, device) } == true
    let isFlushed = device.login?.account != login.account && mayFlush
    guard !isOwn || device.login != login && !isFlushed else { return }
    violate(
      .ownLogin,
      "\(device.name) sends \(intent) of \(own?.line ?? "nobody") for \(login.line)"
        + ", and \(device.login?.line ?? "nobody") is logged in")
  }

  /// Checks that a draft is sent as its person last wanted it, and not after they deleted it.
  private func checkThoughts(
    _ login: Login, _ intent: RecordNumber, _ device: SimulatedDevice
  ) {
    guard let ledger = device.ledgers[login.account] else { return }
    if ledger.isTakenBack(intent) {
      violate(.lastWord, "\(device.name) sends a draft, \(intent), that was deleted")
    }
    if ledger.isOutdated(intent) {
      violate(.lastWord, "\(device.name) sends a draft, \(intent), without its last text")
    }
  }

  /// Whether open operations are sent although nobody is logged in.
  private func isFlushing(_ ledger: Ledger, _ device: SimulatedDevice) -> Bool {
    ledger.flushUntil.map { device.time(now) < $0 } ?? false
  }

  /// Whether a parcel comes from an ended machine or login, to a server without keys.
  ///
  /// Such a server can't tell it from later requests, so nothing helps if it arrives after them.
  private func isUnknowable(_ parcel: Parcel) -> Bool {
    guard case .request(_, let request) = parcel.content, plan.kind == .mail,
      request.parts.allSatisfy(\.wanted.isRepeatable)
    else { return false }
    let (device, time) = (devices[parcel.device], self.time(parcel.device))
    let isOver =
      device.store.openings != parcel.opening || !device.isServed(parcel.login, at: time)
    return plan.manners.keyInterval == nil && isOver
  }

  /// Sends a parcel to the server, on a route that the network decides.
  func send(_ content: Parcel.Content, _ login: Login, _ place: Int) {
    let device = devices[place]
    let route = network.route(isOnline: device.isOnline)
    let parcel = Parcel(
      content: content, device: place, login: login, opening: device.store.openings,
      token: device.token(of: login), route: route)
    for (index, delay) in route.arrivals.enumerated() {
      agenda.add(.arrival(parcel, isFirst: index == 0), at: now.advanced(by: delay))
    }
    switch route.reply {
    case .answer, .partOfAnswer: break
    case .notSent: hear(parcel.failed(.notSent), parcel)
    case .nothing: hear(parcel.failed(.lostAnswer), parcel)
    case .failure: hear(parcel.failed(.server), parcel)
    }
  }

  private func hear(_ event: SyncEvent, _ parcel: Parcel) {
    noteRefusals(event, parcel)
    plan(.hears(event, parcel.login), parcel.device, after: parcel.route.delay)
  }

  /// Counts a page that is shorter than requested although others follow.
  private func countPage(_ event: SyncEvent, _ parcel: Parcel) {
    guard case .question(_, .page(_, _, let limit)) = parcel.content,
      case .answered(_, .success(let page)) = event, !page.isLast, page.facts.count < limit
    else { return }
    count(page.facts.isEmpty ? "empty page" : "short page")
  }

  /// Makes the server answer an arriving parcel.
  func arrive(_ parcel: Parcel, isFirst: Bool) {
    guard !isUnknowable(parcel) else { return }
    let answer = throttled(parcel) ?? parcel.answer(of: server)
    tell("the server gets \(parcel.line) -> \(answer.line)")
    countPage(answer, parcel)
    guard isFirst, [.answer, .partOfAnswer].contains(parcel.route.reply),
      devices[parcel.device].store.openings == parcel.opening
    else { return }
    let isWhole = parcel.route.reply == .answer
    hear(isWhole ? answer : answer.partly, parcel)
  }
}
