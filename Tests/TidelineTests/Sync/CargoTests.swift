import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// How full requests for several objects are.
@Suite(.timeLimit(.minutes(5))) struct CargoTests {
  /// The limit of operations examined at once falls within a request.
  @Test func requests_areFull_whereThereIsEnough() async throws {
    var abilities = ServerAbilities.rich
    abilities.partsMax = 1_000
    try await Bench.with(abilities, .engage) { bench in
      try await bench.inbox.apply(
        Delivery { delivery in
          for id in 0..<1_500 {
            delivery.add(RichMessage(id: "x\(id)", account: bench.inbox.account))
          }
        })
      try await bench.inbox.perform(.markAllRead(RichMessage.self))
      let counts = try await bench.sent().map(\.request.parts.count)
      #expect(counts == [1_000, 503])
    }
  }

  /// Otherwise each decision would examine the whole outbox again, while nobody else can read.
  @Test func requestThatIsNotFull_isNotFilledWithWhatIsFarBehind() async throws {
    var abilities = ServerAbilities.rich
    abilities.requestsMax = 1
    try await Bench.with(abilities, .engage) { bench in
      // More than are examined at once.
      let others = (0..<1_100).map { "x\($0)" }
      try await bench.inbox.apply(
        Delivery { delivery in
          for id in others { delivery.add(RichMessage(id: id, account: bench.inbox.account)) }
        })
      try await bench.inbox.perform(.markRead(RichMessage.self, ["r1"]))
      try await bench.inbox.perform(.markRead(RichMessage.self, ["r2"]))
      try await bench.inbox.record(
        DeleteObjects {
          ($0.objectClass, $0.ids) = (.rich, others)
          $0.terms.key = OperationKey(low: 1, high: 2)
        }, at: bench.desk.now)
      try await bench.inbox.perform(.markRead(RichMessage.self, ["r3"]))
      let sent = try await bench.sent()
      #expect(sent.map { $0.request.parts.map(\.id) } == [["r1", "r2"]])
    }
  }

  /// In another request the server would not recognize the operation, and would repeat it if the
  /// first request arrives late.
  @Test(arguments: [true, false])
  func whatWasBegun_goesAgain_withNothingElse(isTogether: Bool) async throws {
    try await Bench.with(.rich, .engage) { bench in
      var first: [String] = []
      for id in ["r1", "r2"] {
        try await bench.inbox.perform(.markRead(RichMessage.self, [id]))
        if !isTogether { first += try await bench.names() }
      }
      if isTogether { first += try await bench.names() }
      #expect(first.count == (isTogether ? 1 : 2))
      for id in 1...first.count {
        try await bench.take(.performed(id, .failure(ServerFailure(.lostAnswer))))
      }
      try await bench.inbox.perform(.markRead(RichMessage.self, ["r3"]))
      try await bench.take(.online(false))
      let again = try await bench.names(.online(true))
      #expect(again.dropLast() == first[...] && again.count == first.count + 1)
    }
  }

  /// Readers of the store wait for one step at most, not for a whole request.
  @Test func manyOperations_areDecidedAboutInSteps() async throws {
    try await Bench.withMany { bench, _, _ in
      var (actions, steps) = (try bench.begin(), 1)
      while bench.machine.isDeciding {
        #expect(actions.isEmpty)
        actions = try bench.goOn()
        steps += 1
      }
      #expect(actions.requests.map(\.request.parts.count) == [1_000])
      #expect(steps > 2 * 1_000 / 150)
    }
  }

  /// An operation withdrawn during a decision is not sent, and the other operations on its object
  /// are decided about anew.
  @Test func whatIsTakenBackMeanwhile_isNotSent() async throws {
    try await Bench.withMany { bench, _, receipt in
      try await bench.inbox.perform(.markRead(RichMessage.self, ["r3"]))
      var actions = try bench.begin()
      try await receipt.withdraw()
      while bench.machine.isDeciding { actions = try bench.goOn() }
      let sent = try #require(actions.requests.first)
      #expect(sent.request.parts.map(\.id) == ["r1"])
      #expect(actions.wakeUps == [bench.desk.now.kept])
      let next = try await bench.sent(.performed(sent.id, bench.done(sent.request)))
      #expect(next.map { $0.request.parts.map(\.id) } == [["r3"]])
    }
  }

  /// When an operation leaves the outbox, the others move up before the next step; the first
  /// operation on an object still goes first.
  @Test func orderOnAnObject_isKept_whereTheOutboxMovesOnMeanwhile() async throws {
    try await Bench.withMany(200, requests: 4) { bench, first, _ in
      let id = try bench.inbox.openOperations()[64].id
      try await bench.inbox.perform(.delete(RichMessage.self, [id]))
      var actions = try bench.begin()
      try await first.withdraw()
      while bench.machine.isDeciding { actions = try bench.goOn() }
      let parts = actions.requests.flatMap(\.request.parts)
      #expect(!parts.isEmpty && parts.allSatisfy { $0.wanted == .read(true) })
      #expect(actions.wakeUps == [bench.desk.now.kept])
    }
  }

  /// A step's findings are not sent if the login has ended by the next step.
  @Test func decisionEnds_withTheLogin() async throws {
    try await Bench.withMany { bench, _, _ in
      #expect(try bench.begin().isEmpty)
      #expect(bench.machine.isDeciding)
      try await bench.inbox.logOut(pending: .drop)
      #expect(try bench.goOn().isEmpty)
      #expect(!bench.machine.isDeciding)
    }
  }
}

extension Bench {
  /// Returns the actions of a decision's first step.
  fileprivate func begin() throws -> [SyncAction] {
    let now = desk.now.kept
    return try inbox.store.core.read { try machine.begin(.recorded, $0, at: now) }
  }

  /// Returns the actions of the next step.
  fileprivate func goOn() throws -> [SyncAction] {
    let now = desk.now.kept
    return try inbox.store.core.read { try machine.goOn($0, at: now) }
  }

  /// Runs `body` with so many rich messages, which fit into one request; one intent marks the first
  /// as read, and another all of them.
  fileprivate static func withMany(
    _ count: Int = 1_000, requests: Int = 1,
    _ body: (Bench, _ first: IntentReceipt, _ all: IntentReceipt) async throws -> Void
  ) async throws {
    var abilities = ServerAbilities.rich
    (abilities.partsMax, abilities.requestsMax) = (count, requests)
    try await with(abilities, .engage) { bench in
      try await bench.inbox.apply(
        Delivery { delivery in
          for id in 0..<count {
            delivery.add(RichMessage(id: "x\(id)", account: bench.inbox.account))
          }
        })
      let first = try await bench.inbox.perform(.markRead(RichMessage.self, ["r1"]))
      try await body(bench, first, bench.inbox.perform(.markAllRead(RichMessage.self)))
    }
  }
}
