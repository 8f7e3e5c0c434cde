import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// The server in the article about writing one's own.
@Suite(.timeLimit(.minutes(5))) struct OwnServerTests {
  // OwnServer.md begins
  struct OfficeServer: Server {
    let office: Office  // What speaks to yours: an actor, or a struct without state.

    var abilities: ServerAbilities {
      var abilities = ServerAbilities()
      abilities.streams = [ServerStream("mail", [.message], by: .changes, pageMax: 100)]
      return abilities
    }

    func answer(_ question: Question, token: Token?) async throws(ServerFailure) -> Answer {
      switch question {
      case .cursor: return try await office.state()
      case .page(.message, let offset, let limit): return try await office.page(offset, limit)
      case .changes(_, let since, _): return try await office.changes(since: since)
      case .object(.message, let id): return try await office.letter(id)
      default: throw ServerFailure(.unsupported)
      }
    }

    func perform(_ request: ServerRequest, token: Token?) async throws(ServerFailure) -> Settlement
    {
      var settlement = Settlement([])
      for part in request.parts {
        guard case .read(let isRead) = part.wanted else { throw ServerFailure(.unsupported) }
        try await office.mark(part.id, isRead, request.idempotencyKey)
        settlement.outcomes.append(.done())
        settlement.tell(await office.told(part.id))  // Without versions: so it is over at once.
      }
      return settlement
    }
  }
  // OwnServer.md ends

  /// A server that counts what changes, and forgets old changes when it is told to.
  actor Office {
    private var letters: [(id: String, isRead: Bool)] = []
    private var changed: [String] = []
    private var forgotten = 0
    private(set) var keys: [String] = []

    init(holding count: Int) { for place in 0..<count { letters.append(("l\(place)", false)) } }

    func arrive(_ id: String) {
      letters.append((id, false))
      changed.append(id)
    }

    func burn(_ id: String) {
      letters.removeAll { $0.id == id }
      changed.append(id)
    }

    func forget() { forgotten = changed.count }

    func state() throws(ServerFailure) -> Answer { Answer { $0.cursor = "\(changed.count)" } }

    func page(_ offset: Int, _ limit: Int) throws(ServerFailure) -> Answer {
      let page = letters.dropFirst(offset).prefix(limit)
      return Answer { answer in
        for letter in page { answer.tell(told(letter.id)) }
        answer.isLast = offset + limit >= letters.count
      }
    }

    func changes(since: String) throws(ServerFailure) -> Answer {
      guard let since = Int(since), since >= forgotten else { throw ServerFailure(.cursorUnknown) }
      return Answer { answer in
        for id in changed.dropFirst(since) { answer.tell(told(id)) }
        answer.cursor = "\(changed.count)"
      }
    }

    func letter(_ id: String) throws(ServerFailure) -> Answer { Answer { $0.tell(told(id)) } }

    func mark(_ id: String, _ isRead: Bool, _ key: String) throws(ServerFailure) {
      guard let place = letters.firstIndex(where: { $0.id == id }) else {
        throw ServerFailure(.notFound)
      }
      letters[place].isRead = isRead
      changed.append(id)
      keys.append(key)
    }

    func told(_ id: String) -> Delivery {
      Delivery { delivery in
        guard let letter = letters.first(where: { $0.id == id }) else {
          return delivery.delete(Message.self, id)
        }
        var message = Message(id: id, account: 0)
        (message.subject, message.isUnread) = (id, !letter.isRead)
        delivery.add(message, body: "<p>\(id)</p>")
      }
    }
  }

  @Test func ownServer_isKeptInStep() async throws {
    let office = Office(holding: 250)
    try await SampleStore.withInbox { inbox in
      let sync = Sync(inbox, with: OfficeServer(office: office))
      sync.start()
      func caughtUp() async throws -> Int {
        try await sync.caughtUp(with: try inbox.store.read { $0.position })
        return try inbox.provider(Message.self).start.count ?? 0
      }
      #expect(try await caughtUp() == 250)
      try await inbox.perform(.markRead(Message.self, ["l7"])).confirmed()
      #expect(await office.keys.count == 1)
      await office.arrive("new")
      await office.burn("l8")
      try await sync.refreshed()
      #expect(try await caughtUp() == 250)
      #expect(try inbox.object(Message.self, "l8") == nil)
      await office.burn("l9")
      await office.forget()
      try await sync.refreshed()
      #expect(try await caughtUp() == 249)
      #expect(try inbox.object(Message.self, "l9") == nil)
      sync.stop()
    }
  }
}
