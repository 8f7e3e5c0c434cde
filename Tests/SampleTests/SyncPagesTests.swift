import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineServer
import TidelineSimulator
import TidelineSync

/// The code on the first pages about synchronization and HTTP, with local servers.
@Suite(.timeLimit(.minutes(5))) struct SyncPagesTests {
  private struct Key: TokenSource {
    let value: String
    func token(replacing refused: Token?) async throws -> Token? { Token(value) }
  }

  /// Passes on each status.
  private struct Banner: Sendable {
    let lines: AsyncStream<SyncStatus>.Continuation
    func show(_ status: SyncStatus) { lines.yield(status) }
  }

  private let served: EmbeddedServer
  private let letter: String
  private let url: URL
  private let login = Key(value: "mail")
  private let otherLogin = Key(value: "offers")

  init() throws {
    let mail = MailServer(at: Date().kept, seed: 1)
    let rich = RichServer(.marketingCloud, at: Date().kept, seed: 1)
    rich.visitors = [Token("offers"): Visitor(device: "phone", login: 1)]
    served = try EmbeddedServer(Router(mail: mail, rich: rich)) { Date().kept }
    letter = served.withRouter { $0.receiveMail(at: $1) ?? "" }
    url = try #require(URL(string: served.address))
  }

  private func withStore(_ body: (InboxStore) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let store = try await InboxStore.open(at: folder.path)
    try await body(store)
    await store.close()
    served.stop()
  }

  @Test func sync_showsHowFarItIs() async throws {
    try await withStore { store in
      let (lines, continuation) = AsyncStream<SyncStatus>.makeStream()
      let banner = Banner(lines: continuation)
      let showing = Task { try await begin(store, banner) }
      for await status in lines where status.upToDateAt != nil && !status.isRefreshing { break }
      let inbox = store.inbox(of: 1)
      #expect(try inbox.object(Message.self, letter)?.isUnread == true)
      showing.cancel()
      try await showing.value
    }
  }

  private func begin(_ store: InboxStore, _ banner: Banner) async throws {
    // TidelineSync.md begins
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let sync = Sync(inbox, with: InboxServer(url), tokens: login)
    sync.start()
    for await status in sync.statuses { banner.show(status) }
    // TidelineSync.md ends
    sync.stop()
  }

  /// Syncs until the inbox is up to date.
  private func keepInStep(_ sync: Sync) async {
    sync.start()
    for await status in sync.statuses where status.upToDateAt != nil { break }
    sync.stop()
  }

  @Test func otherInbox_hasAnotherServer() async throws {
    try await withStore { store in
      let otherURL = url
      let inbox = try await store.logIn("alice@example.com", policy: .inbox)
      // TidelineSync.md begins
      let offers = try await store.logIn("alice@example.com", at: "offers", policy: .marketingCloud)
      let other = Sync(offers, with: RichInboxServer(otherURL), tokens: otherLogin)
      // TidelineSync.md ends
      // TidelineSync.md begins
      try await inbox.configure(isInboxEnabled: false)
      // TidelineSync.md ends
      await keepInStep(other)
      #expect(try store.accounts.map(\.isInboxEnabled) == [false, true])
    }
  }

  @Test func list_isAskedOfTheServer() async throws {
    try await withStore { store in
      let inbox = try await store.logIn("alice@example.com", policy: .inbox)
      let sync = Sync(inbox, with: InboxServer(url), tokens: login)
      // TidelineSync.md begins
      let unread = try inbox.provider(
        MailThread.self, where: #Predicate { $0.isUnread && $0.subject == "Hi" })
      switch try sync.ask(for: unread.plan, in: 0..<50) {
      case .device: break  // nothing to be asked
      case .server(let asked): print(asked.filters, asked.residue)  // subject == "Hi" is left
      }
      // TidelineSync.md ends
      guard case .server(let query) = try sync.ask(for: unread.plan) else {
        Issue.record("the server is not asked")
        return
      }
      #expect(query.filters == [.unread(true)] && query.residue != .always)
    }
  }

  @Test func servers_haveAnAccountEach() async throws {
    try await withStore { store in
      let (address, otherAddress) = (url, url)
      // TidelineHTTP.md begins
      let mail = try await store.logIn("alice@example.com", policy: .inbox)
      let offers = try await store.logIn("alice@example.com", at: "offers", policy: .marketingCloud)
      try await mail.configure(isInboxEnabled: false)  // So pushes belong to the offers.
      let syncs = [
        Sync(mail, with: InboxServer(address, namespace: "n1"), tokens: login),
        Sync(offers, with: RichInboxServer(otherAddress), tokens: otherLogin),
      ]
      // TidelineHTTP.md ends
      for sync in syncs { await keepInStep(sync) }
      #expect(try mail.object(Message.self, letter) != nil)
      #expect(try offers.object(Message.self, letter) == nil)
    }
  }

  @Test func server_getsWhatAGatewayWants() async throws {
    try await withStore { store in
      let (otherAddress, key) = (url, "k1")
      let offers = try await store.logIn("alice@example.com", policy: .marketingCloud)
      // TidelineHTTP.md begins
      let impatient = RichInboxServer(
        otherAddress, headers: ["X-API-Key": key, "User-Agent": "Offers/2"], timeout: .seconds(10))
      // TidelineHTTP.md ends
      let sync = Sync(offers, with: impatient, tokens: otherLogin)
      await keepInStep(sync)
    }
  }
}
