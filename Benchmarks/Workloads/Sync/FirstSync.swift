import BenchmarkHarness
import EventStore
import Foundation
import Tideline
import TidelineHTTP
import TidelineSync

/// The time of a mailbox's first sync.
enum FirstSync {
  static let workload = Workload(
    "firstsync", "take in a mailbox of COUNT messages from a server, two lists open",
    smoke: 500, real: 100_000, rounds: 3
  ) { setting in
    let server = Once {
      try ServerChild(
        .serveMail, max(setting.size * 10 / messagesOfTenThreads, 1), in: setting.folder)
    }
    let pages = Later { try await WirePages(of: try server.value()) }
    return [parts(server, pages), whole(server), servers(server)]
  }

  /// The approximate number of messages in ten threads of the served mailbox.
  private static let messagesOfTenThreads = 23
  private static let perSecond = 50_000.0
  private static let timesParts = 2.0
  private static let partsName = "JSON, log and views, pages at hand"
  private static let time = Metric.amount(unit: "µs of processors/message")

  private static func parts(_ server: Once<ServerChild>, _ pages: Later<WirePages>) -> Case {
    Case(partsName, Claim(.rate), Claim(time)) { round in
      let (count, pages) = (try server.value().count, try await pages.value())
      let inbox = try await SyncDesk.inbox(in: round.folder, .inbox)
      let lists = try SyncDesk.lists(of: inbox)
      let sample = try await timed(round, count) {
        var receipt: Receipt?
        for page in pages.all {
          let answer = try ObjectAnswer(page.bytes.payloadBytes, of: page.objectClass)
          var delivery = Delivery()
          for fact in answer.items.facts { delivery.add(fact) }
          let earlier = receipt
          receipt = try await inbox.take(delivery, for: inbox.login(), durability: .relaxed).receipt
          try await earlier?.visible()
        }
        try await receipt?.durable()
        try await inbox.store.core.commitViews()
      }
      await end(inbox, lists)
      return sample
    }
  }

  private static func whole(_ server: Once<ServerChild>) -> Case {
    let claims = [
      Claim(.rate, atLeast: perSecond), Claim(time, against: partsName, .ratioAtMost(timesParts)),
      Claim(.bytesWritten), Claim(.allocations),
    ]
    return Case("over HTTP", claims) { round in
      let server = try server.value()
      let inbox = try await SyncDesk.inbox(in: round.folder, .inbox)
      let lists = try SyncDesk.lists(of: inbox)
      let sync = SyncDesk.mail(inbox, server)
      let sample = try await timed(round, server.count) {
        sync.start()
        try await SyncDesk.catchUp(sync)
        try await inbox.store.core.commitViews()
      }
      sync.stop()
      let here = try SyncDesk.count(of: inbox)
      guard here >= server.count else { throw Missing(here: here, there: server.count) }
      await end(inbox, lists)
      return sample
    }
  }

  /// Measures the server's own processor time as it sends the same answers again.
  private static func servers(_ server: Once<ServerChild>) -> Case {
    Case("the server alone, over HTTP", Claim(time)) { round in
      let server = try server.value()
      let before = server.processorTime
      let pages = try await WirePages(of: server)
      let spent = server.processorTime - before
      return Sample(
        amount: spent / .microseconds(1) / Double(server.count), digest: UInt64(pages.all.count))
    }
  }

  private static func timed(
    _ round: Round, _ count: Int, _ body: () async throws -> Void
  ) async throws -> Sample {
    let before = ProcessorTime.own
    var sample = try await round.meter.measure(events: count) {
      try await body()
      return UInt64(count)
    }
    sample.amount = (ProcessorTime.own - before) / .microseconds(1) / Double(count)
    return sample
  }

  private static func end(
    _ inbox: Inbox, _ lists: (Provider<MailThread>, Provider<Message>)
  ) async {
    lists.0.end()
    lists.1.end()
    await inbox.store.close()
  }

  /// The error that messages are missing.
  private struct Missing: Error { let here: Int, there: Int }
}

/// The pages of a mailbox, as its server sends them.
struct WirePages {
  struct Page {
    let objectClass: ObjectClass
    let bytes: [UInt8]
  }

  private(set) var all: [Page] = []
  private static let limit = 500

  init(of server: ServerChild) async throws {
    let (client, api) = (URLSessionClient(server.address), InboxAPI())
    for objectClass in InboxServer.classes {
      var offset = 0
      while var request = api.list(objectClass, offset: offset, limit: Self.limit) {
        request.headers.append(
          HTTPRequest.Header("Authorization", "Bearer \(SyncDesk.token.value)"))
        let answer = try await client.answer(to: request, within: .seconds(30))
        let page = Page(objectClass: objectClass, bytes: answer.body)
        all.append(page)
        let count = try ObjectAnswer(page.bytes.payloadBytes, of: objectClass).items.count
        guard count == Self.limit else { break }
        offset += count
      }
    }
  }
}

extension SyncDesk {
  /// Returns the number of messages.
  static func count(of inbox: Inbox) throws -> Int {
    let provider = try inbox.provider(Message.self, window: 0..<0)
    defer { provider.end() }
    return provider.start.count ?? 0
  }
}
