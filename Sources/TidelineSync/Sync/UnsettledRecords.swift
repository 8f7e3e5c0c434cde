package import EventStore
import Tideline

/// The records that are not visible yet, or may not be in the log.
///
/// A decision must see all earlier records except those that its own result does not depend on. A
/// page or answer is thus read while the two before it are being recorded.
package struct UnsettledRecords {
  private var unseen: [Receipt] = []
  /// Server reports that may not be in the log yet.
  private var pages: [Receipt] = []
  /// The starts of requests not sent yet, in order, each up to the request with an id.
  private var begun: [(last: Int, receipt: Receipt)] = []
  /// Whether records were lost since the last ``forgetLosses()``.
  private(set) var hasLost = false

  /// The most pages that may not be in the log yet.
  private static let pagesMax = 16

  /// Creates a value that waits for nothing.
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

  /// Returns the receipt for the start of the request that an action sends, and drops earlier ones.
  mutating func beginning(of action: SyncAction) -> Receipt? {
    guard case .send(let departure) = action else { return nil }
    begun.removeAll { $0.last < departure.id }
    return begun.first?.receipt
  }

  /// Waits until all records are visible or lost or, if not all must be, until few are not.
  mutating func wait(forAll isForAll: Bool) async {
    while pages.count > Self.pagesMax { await takePage() }
    guard !isForAll else { return _ = await wait() }
    while unseen.count > 2 { await see(unseen.removeFirst()) }
  }

  /// Waits until all records are visible or lost; returns whether there were any.
  mutating func wait() async -> Bool {
    defer { unseen.removeAll() }
    for receipt in unseen { await see(receipt) }
    return !unseen.isEmpty
  }

  private mutating func see(_ receipt: Receipt) async {
    if (try? await receipt.visible()) == nil { hasLost = true }
  }

  /// Waits until it is known whether all pages are in the log; returns whether they and all before
  /// them are.
  package mutating func hasPages() async -> Bool {
    while !pages.isEmpty { await takePage() }
    return !hasLost
  }

  /// Forgets lost records, which will be asked for again.
  package mutating func forgetLosses() { (pages, hasLost) = ([], false) }

  private mutating func takePage() async {
    if (try? await pages.removeFirst().durable()) == nil { hasLost = true }
  }
}

extension SyncAction {
  /// Whether the action's records must be durable.
  var isFull: Bool {
    switch self {
    case .record(_, let durability), .take(_, _, let durability): durability == .full
    case .begin: true
    default: false
    }
  }

  /// Whether the action records a stream's cursor.
  package var movesOn: Bool {
    if case .take(let delivery, _, _) = self { delivery.movesOn } else { false }
  }
}
