import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// The recipes for the life of an app, with its logins.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct AppLifeTests {
  // Recipes.md begins
  /// What an app reports to its store and synchronization during its life.
  actor MailLife {
    let store: InboxStore
    let sync: Sync
    private var isInUse = true
    /// The number of jobs in the background that need the store.
    private var jobs = 0

    init(_ store: InboxStore, _ sync: Sync) { (self.store, self.sync) = (store, sync) }

    /// The app entered the foreground.
    func enteredForeground() async throws {
      isInUse = true
      try await store.resume()
      sync.note(.foreground(true))
    }

    /// The app entered the background: run this within the time that the system grants, as by
    /// `beginBackgroundTask`, and cancel its task when that ends.
    func enteredBackground() async {
      isInUse = false
      sync.note(.foreground(false))
      jobs += 1
      if let now = try? store.read({ $0.position }) { try? await sync.caughtUp(with: now) }
      await endJob()
    }

    /// A silent push arrived, or the system has time for a refresh.
    func refreshInBackground() async -> Bool {
      jobs += 1
      try? await store.resume()
      let answer = try? await sync.refreshed(byHand: false)
      await endJob()
      return answer == .started || answer == .joined
    }

    /// Suspends the store unless somebody uses the app or another job needs the store.
    private func endJob() async {
      jobs -= 1
      if jobs == 0, !isInUse { await store.suspend() }
    }

    /// Whether there is a network has changed, as `NWPathMonitor` reports.
    nonisolated func networkChanged(isThere: Bool) { sync.note(.network(isThere)) }

    func leave() async throws {
      try await sync.inbox.logOut(pending: .hold)
      sync.stop()
      await store.close()
    }
  }
  // Recipes.md ends

  @Test func life_ofAnApp_isFollowed() async throws {
    let office = OwnServerTests.Office(holding: 2)
    try await SampleStore.withInbox { inbox in
      let sync = Sync(inbox, with: OwnServerTests.OfficeServer(office: office))
      let life = MailLife(inbox.store, sync)
      sync.start()
      life.networkChanged(isThere: true)
      try await sync.refreshed()
      try await inbox.perform(.markRead(Message.self, ["l1"]))
      await life.enteredBackground()
      #expect(await office.keys.count == 1)
      #expect(throws: StoreError.self) { try inbox.object(Message.self, "l1") }
      await office.arrive("new")
      #expect(await life.refreshInBackground())
      #expect(throws: StoreError.self) { try inbox.object(Message.self, "l1") }
      try await life.enteredForeground()
      #expect(try inbox.object(Message.self, "new") != nil)
      // Neither a silent push nor a late end of the background takes the store from a person.
      #expect(await life.refreshInBackground())
      #expect(try inbox.object(Message.self, "new") != nil)
      life.networkChanged(isThere: false)
      try await inbox.perform(.markRead(Message.self, ["new"]))
      let leaving = Task { await life.enteredBackground() }
      try await sync.status { $0.obstacle == .offline }
      try await life.enteredForeground()
      leaving.cancel()
      await leaving.value
      #expect(try inbox.object(Message.self, "new") != nil)
      try await life.leave()
    }
  }

  /// The clock stands still, so that no slow machine uses up the time.
  @Test func logout_sendsWhatIsLeft() async throws {
    let office = OwnServerTests.Office(holding: 2)
    try await SampleStore.withInbox(options: AppTestsTests.TestClock().options) { inbox in
      let store = inbox.store
      let sync = Sync(inbox, with: OwnServerTests.OfficeServer(office: office))
      sync.start()
      try await sync.refreshed()
      try await inbox.perform(.markRead(Message.self, ["l1"]), heldFor: .seconds(3600))
      // Recipes.md begins
      try await sync.inbox.logOut(pending: .flush(within: .seconds(10)))
      try? await sync.caughtUp(with: store.read { $0.position })
      sync.stop()
      // Recipes.md ends
      #expect(await office.keys.count == 1)
    }
  }

  // Recipes.md begins
  /// A login that can be renewed until the person has to log in again.
  actor Login: TokenSource {
    private var token: Token?
    private let renew: @Sendable (Token?) async throws -> Token

    init(_ token: Token? = nil, renew: @escaping @Sendable (Token?) async throws -> Token) {
      (self.token, self.renew) = (token, renew)
    }

    func token(replacing refused: Token?) async throws -> Token? {
      if let token, token != refused { return token }
      let next = try await renew(refused)
      token = next
      return next
    }

    /// The person has logged in again.
    func hasToken(_ token: Token) { self.token = token }
  }
  // Recipes.md ends

  @Test func login_thatExpires_isAskedFor() async throws {
    struct Expired: Error {}
    let office = OwnServerTests.Office(holding: 2)
    let login = Login { _ in throw Expired() }
    let askPerson = { @Sendable () async throws -> Token in Token("fresh") }
    try await SampleStore.withInbox { inbox in
      let sync = Sync(inbox, with: OwnServerTests.OfficeServer(office: office), tokens: login)
      sync.start()
      let asking = Task {
        // Recipes.md begins
        for await status in sync.statuses where status.obstacle == .unauthorized {
          await login.hasToken(try await askPerson())
          await sync.refresh()
        }
        // Recipes.md ends
      }
      try await sync.status { $0.upToDateAt != nil }
      #expect(try inbox.object(Message.self, "l1") != nil)
      sync.stop()
      try await asking.value
    }
  }
}
