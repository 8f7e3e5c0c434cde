package import EventStore
import Tideline

/// What was recorded and can't be seen yet, or may not be in the log.
///
/// Whoever decides has to see all that was recorded before, but for what comes of it alone: so one
/// page or answer is read while that before it is being recorded.
package struct Wake {
  private var unseen: [Receipt] = []
  /// What a server told, and may not be in the log.
  private var pages: [Receipt] = []
  /// That requests are begun which were not sent yet: up to which of them, in their order.
  private var begun: [(last: Int, receipt: Receipt)] = []
  /// Whether something did not get into the log, for which ``forgetLosses()`` was not called yet.
  private(set) var hasLost = false

  /// Of how many pages it is left open whether they are in the log.
  private static let pagesMax = 16

  /// One that has nothing to wait for.
  package init() {}

  /// Notes what an action has recorded.
  package mutating func add(_ receipt: Receipt, of action: SyncAction) {
    unseen.append(receipt)
    switch action {
    case .take: pages.append(receipt)
    case .begin(let departures): begun += departures.suffix(1).map { ($0.id, receipt) }
    default: break
    }
  }

  /// The receipt of that the request is begun which an action sends; those of requests before it
  /// are not asked for again.
  mutating func beginning(of action: SyncAction) -> Receipt? {
    guard case .send(let departure) = action else { return nil }
    begun.removeAll { $0.last < departure.id }
    return begun.first?.receipt
  }

  /// Waits as long as an event has to.
  mutating func wait(before event: SyncEvent) async {
    while pages.count > Self.pagesMax { await takePage() }
    guard event.isByItself else { return _ = await wait() }
    while unseen.count > 1 { await see(unseen.removeFirst()) }
  }

  /// Waits until all can be seen that gets into the log; returns whether there was something to
  /// wait for.
  mutating func wait() async -> Bool {
    defer { unseen.removeAll() }
    for receipt in unseen { await see(receipt) }
    return !unseen.isEmpty
  }

  private mutating func see(_ receipt: Receipt) async {
    if (try? await receipt.visible()) == nil { hasLost = true }
  }

  /// Waits until it is known of all pages whether they are in the log; returns whether they are,
  /// and all before them.
  package mutating func hasPages() async -> Bool {
    while !pages.isEmpty { await takePage() }
    return !hasLost
  }

  /// Leaves what did not get into the log to be asked for anew.
  package mutating func forgetLosses() { (pages, hasLost) = ([], false) }

  private mutating func takePage() async {
    if (try? await pages.removeFirst().durable()) == nil { hasLost = true }
  }
}

extension SyncAction {
  /// Whether it records what is to be on the medium.
  var isFull: Bool {
    switch self {
    case .record(_, let durability), .take(_, _, let durability): durability == .full
    case .begin: true
    default: false
    }
  }

  /// Whether it records up to where a stream was read.
  var movesOn: Bool {
    if case .take(let delivery, _, _) = self { delivery.movesOn } else { false }
  }
}
