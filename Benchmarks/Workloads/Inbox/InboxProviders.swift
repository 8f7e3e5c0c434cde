import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Foundation
import Synchronization
import Tideline

/// The cost of an intent that affects one of many open providers.
enum InboxProviders {
  /// The maximum ratio of the cost with all of them open to that with one.
  private static let growth = 1.5

  static func cases(_ setting: Workload.Setting) -> [Case] {
    let many = setting.size / 10
    let mail = InboxMail(
      mailbox: Mailbox(count: setting.size, isAllUnread: true), contactCount: many)
    let filled = Later {
      try await MailDesk.filled(mail, in: setting.folder, "contacts", views: try views)
    }
    return [1, many].map { open in
      let claim =
        open == 1
        ? Claim(.latency) : Claim(.latency, against: name(1), .ratioAtMost(growth))
      return Case(name(open), claim) { round in
        let store = try await MailDesk.open(try await filled.value(), views: try views)
        let sample = try await untilTold(mail, open, MailDesk.inbox(of: store), round)
        await store.close()
        return sample
      }
    }
  }

  private static func name(_ open: Int) -> String {
    "mark read, \(grouped(open)) \(open == 1 ? "provider" : "providers") open of unread by contact"
  }

  private static let newestFirst = SortDescriptor(\Message.effectiveDate, order: .reverse)

  /// The app's declared views, with a ready list for each contact.
  private static var views: [DeclaredView] {
    get throws {
      [
        try DeclaredView(
          "unread by address", of: Message.self, where: #Predicate { $0.isUnread },
          sort: [newestFirst], groupedBy: \.addresses)
      ]
    }
  }

  private static func provider(_ contact: Int, _ inbox: Inbox) throws -> Provider<Message> {
    let address = InboxMail.address(contact)
    return try inbox.provider(
      Message.self, where: #Predicate { $0.isUnread && $0.addresses.contains(address) },
      sort: [newestFirst], window: 0..<50)
  }

  /// Measures from calling `perform` until a subscriber to the same contact is notified.
  private static func untilTold(
    _ mail: InboxMail, _ open: Int, _ inbox: Inbox, _ round: Round
  ) async throws -> Sample {
    // The stride is coprime with their number, so that each gets its turn.
    func contact(_ turn: Int) -> Int { turn * 7919 % mail.contactCount }
    let told = Mutex(ContinuousClock.now)
    func look(_ contact: Int) throws -> LiveView {
      try inbox.store.core.live(
        ListName("app: unread by address", by: InboxMail.address(contact), of: inbox.account),
        window: 0..<50
      ) { _ in told.withLock { $0 = .now } }
    }
    let contacts = open == 1 ? [contact(0)] : Array(0..<open)
    let shown = Mutex(try contacts.map { try provider($0, inbox) })
    let probe = Mutex(try look(contact(0)))
    let receipts = Mutex<IntentReceipt?>(nil)
    let sample = try await round.meter.measureEach(200) { turn in
      let id = InboxMail.text(mail.mailbox[contact(turn)].id)
      let receipt = try await inbox.perform(.markRead(Message.self, [id]))
      receipts.withLock { $0 = receipt }
      return (told.withLock { $0 }, UInt64(turn))
    } after: { turn in
      try await receipts.withLock { $0 }?.withdraw()
      let next = try look(contact(turn + 1))
      probe.withLock { $0 = next }
      guard open == 1 else { return }
      let moved = try provider(contact(turn + 1), inbox)
      shown.withLock { $0 = [moved] }
    }
    probe.withLock { $0.end() }
    shown.withLock { $0.forEach { $0.end() } }
    return sample
  }
}
