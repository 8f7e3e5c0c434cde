import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Pushes received by other processes reach the log, by the spool and by the log itself.
@Suite struct PushDeliveryTests {
  private static let alert =
    #"{"_sid":"SFMC","_mt":8,"_m":"m1","_r":"r1","aps":{"alert":"Hi","badge":2},"k":[1]}"#
  private static let refresh = #"{"_sid":"SFMC","aps":{"content-available":1}}"#
  private static let foreign = #"{"aps":{"alert":"Hi"}}"#
  private static let login = Login(account: 7, epoch: 2)

  private let folder: TemporaryFolder
  private let log: Log

  init() async throws {
    folder = try TemporaryFolder()
    log = try await Log.open(at: folder.path)
  }

  private var spoolPath: String { folder.path(of: "spool") }

  /// Returns for each record its time, login, subject and content.
  private func records() throws -> [String] {
    try log.read { snapshot in
      var lines: [String] = []
      var cursor = try snapshot.records()
      while try cursor.next() {
        let header = cursor.record.header
        let login = header.login.map { "\($0.account)/\($0.epoch)" } ?? "nobody's"
        let isNamed = header.entity == log.fingerprint(of: "7/7/m1")
        let name = isNamed ? "m1" : header.entity == nil ? "-" : "?"
        let line = EventCatalog.line(of: cursor.record)
        lines.append("\(header.recordedAt.rawValue) \(login) \(name) \(line)")
      }
      return lines
    }
  }

  private static let arrived =
    "alert arrived id=“m1” unknown=15 bytes messageType=8 alert=“Hi” customKeys=9 bytes "
    + "requestID=“r1” badge=2"
  private static let refreshed = "silent push arrived purpose=refresh unknown=45 bytes"

  @Test(.feature(70, 71)) func pushes_throughTheSpool_areRecordsOnceTheyAreDrained() async throws {
    let answers = try PushWorkerProcess.answers(to: [
      "spool \(spoolPath)", "receive 5 \(Self.alert)", "recipient 7/2", "receive 3 \(Self.alert)",
      "receive 4 \(Self.foreign)", "receive 4 \(Self.refresh)",
      #"receive 4 {"_sid":"SFMC","_mt":8}"#,
    ])
    #expect(
      answers == [
        "done", "message recorded", "done", "message recorded", "notOurs not recorded",
        "refresh recorded", "error \(PushError.noID)",
      ])
    let drained = try await log.drain(try Spool(at: spoolPath))
    #expect(drained == Drained(records: [1, 2, 3]))
    #expect(
      try records() == [
        "3 7/2 m1 \(Self.arrived)", "4 7/2 - \(Self.refreshed)", "5 nobody's - \(Self.arrived)",
      ])
    await log.close()
  }

  @Test(.feature(70, 71)) func pushes_throughTheLog_areRecordsAtOnce() async throws {
    let answers = try PushWorkerProcess.answers(to: [
      "log \(folder.path)", "receive 5 \(Self.alert)", "receive 3 \(Self.refresh)",
      "receive 4 \(Self.foreign)", "close",
    ])
    #expect(
      answers == [
        "done", "message recorded", "refresh recorded", "notOurs not recorded", "done",
      ])
    #expect(try records() == ["5 nobody's - \(Self.arrived)", "3 nobody's - \(Self.refreshed)"])
    try await log.receive(
      payload(Self.alert), by: .marketingCloud, at: time, for: .login(Self.login))
    #expect(try records().last == "9 7/2 m1 \(Self.arrived)")
    await log.close()
  }

  @Test func payloads_areTheSameBytesByBothWays() async throws {
    let spool = try Spool(at: spoolPath)
    let payload = try payload(Self.alert)
    let recipient = Recipient.login(Self.login)
    try spool.receive(payload, by: .marketingCloud, at: time, for: recipient, isForeground: true)
    _ = try await log.drain(spool)
    try await log.receive(
      payload, by: .marketingCloud, at: time, for: recipient, isForeground: true)
    let records = try log.read { snapshot in
      [try snapshot.record(1), try snapshot.record(2)].compactMap { $0 }
    }
    #expect(records.map(\.payload) == [records[0].payload, records[0].payload])
    #expect(records.map(\.header.entity) == [records[0].header.entity, records[0].header.entity])
    let event = try EventCatalog.event(of: records[0])
    #expect((event as? AlertArrived)?.isForeground == true)
    await log.close()
  }

  private func payload(_ json: String) throws -> PushPayload {
    try PushPayload(json: Array(json.utf8))
  }

  private var time: Date { Date(kept: Timestamp(rawValue: 9)) }

  @Test func pushes_whileNobodyIsLoggedIn_areNotRecorded_butForPrivacy() async throws {
    let spool = try Spool(at: spoolPath)
    try spool.setRecipient(.nobody)
    for json in [Self.alert, Self.refresh] {
      let push = try spool.receive(payload(json), by: .marketingCloud, at: time)
      #expect(push.isOurs && !push.isRecorded)
    }
    let response = PushResponse(try payload(Self.alert))
    #expect(try !spool.receive(response, by: .marketingCloud, at: time).isRecorded)
    let privacy = try payload(#"{"inbox":{"privacy":1}}"#)
    #expect(try spool.receive(privacy, by: .tideline, at: time).isRecorded)
    try await log.receive(payload(Self.alert), by: .marketingCloud, at: time, for: .nobody)
    _ = try await log.drain(spool)
    #expect(try records() == ["9 nobody's - silent push arrived purpose=privacy unknown=23 bytes"])
    await log.close()
  }

  @Test func openings_areIntentsBehindTheirMessages() async throws {
    let spool = try Spool(at: spoolPath)
    let response = PushResponse(try payload(Self.alert), action: "buy", isLaunch: true)
    let random = SeededGenerator(seed: 1)
    try spool.receive(
      response, by: .marketingCloud, at: time, for: .login(Self.login), random: random)
    _ = try await log.drain(spool)
    try await log.receive(
      response, by: .marketingCloud, at: time, for: .login(Self.login), random: random)
    var generator = random
    let key = OperationKey(using: &generator).line
    let opened =
      "9 7/2 m1 alert opened id=“m1” requestID=“r1” action=“buy” isLaunch=yes terms=(key=\(key))"
    let arrived = "9 7/2 m1 \(Self.arrived)"
    #expect(try records() == [arrived, opened, arrived, opened])
    let origins = try log.read { try [$0.record(1), $0.record(2)].map { $0?.header.origin } }
    #expect(origins == [.fact, .intent])
    await log.close()
  }

  @Test(arguments: [
    ("com.apple.UNNotificationDefaultActionIdentifier", true, nil),
    ("com.apple.UNNotificationDismissActionIdentifier", false, nil), (nil, true, nil),
    ("later", true, "later"),
  ])
  func actions_areButtonsOrTheSystemsOwn(
    identifier: String?, isRecorded: Bool, action: String?
  ) async throws {
    let spool = try Spool(at: spoolPath)
    let response = PushResponse(try payload(Self.alert), action: identifier)
    #expect(
      try spool.receive(response, by: .marketingCloud, at: time).isRecorded == isRecorded)
    let plain = PushResponse(try payload(#"{"_sid":"SFMC","alert":"Hi"}"#), action: identifier)
    #expect(try !spool.receive(plain, by: .marketingCloud, at: time).isRecorded)
    _ = try await log.drain(spool)
    let opening = try log.read { try $0.record(2).map { try EventCatalog.event(of: $0) } }
    #expect((opening != nil) == isRecorded && (opening as? AlertOpened)?.action == action)
    await log.close()
  }

  @Test func failures_areErrorsOfTheLog() async throws {
    await log.close()
    let alert = try payload(Self.alert)
    await #expect(throws: PushError.notRecorded(.closed(path: folder.path))) {
      try await log.receive(alert, by: .marketingCloud, at: time)
    }
    let push = try await log.receive(payload(Self.foreign), by: .marketingCloud, at: time)
    #expect(push.kind == .notOurs)
  }

  /// The system may end an extension at any moment; each push it acknowledged is recorded exactly
  /// once.
  @Test(arguments: [2, 5, 40])
  func pushes_ofAProcessThatIsKilled_areThereIfItAnswered(count: Int) async throws {
    let lines = (0..<1_000).map { index in
      "receive \(index) {\"_sid\":\"SFMC\",\"_mt\":8,\"_m\":\"\(index)\"}"
    }
    let answers = try PushWorkerProcess.answers(
      to: ["spool \(spoolPath)"] + lines, killedAfter: count)
    let answered = answers.filter { $0 == "message recorded" }.count
    let drained = try await log.drain(try Spool(at: spoolPath))
    let expected = drained.records.indices.map { index in
      "\(index) nobody's - alert arrived id=“\(index)” unknown=15 bytes messageType=8"
    }
    #expect(try records() == expected && drained.refused.isEmpty)
    #expect(answered >= count - 1 && answered...(answered + 1) ~= drained.records.count)
    #expect(drained.records.count < lines.count)
    await log.close()
  }

  /// An extension has only a few megabytes to spare, so recording a push must take little.
  @Test func pushes_throughTheSpool_takeLittleMemory() throws {
    let answers = try PushWorkerProcess.answers(to: [
      "memory", "memory", "spool \(spoolPath)", "receive 1 \(Self.alert)", "memory",
    ])
    let bytes = answers.compactMap { Int($0) }
    try #require(bytes.count == 3)
    #expect(bytes[2] - bytes[1] < 4 << 20, "\(bytes)")
  }
}
