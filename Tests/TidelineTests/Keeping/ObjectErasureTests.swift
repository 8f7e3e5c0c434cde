import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// No file holds anything of an erased object, whatever recorded it.
@Suite(.timeLimit(.minutes(5))) struct ObjectErasureTests {
  private static let classes: [ObjectClass] = [.message, .rich, .draft, .tag, .file, .contact]

  @Test(arguments: classes, [false, true]) func records_ofAllKinds_areErased(
    _ objectClass: ObjectClass, _ isCompacted: Bool
  ) async throws {
    try await TestDesk.withInbox { inbox, desk in
      let filler = try Self.fill(inbox)
      for isNamed in [false, true] {
        let name = ObjectName(objectClass, isNamed ? "x" : "y")
        let records = PlantedRecords(name: name, inbox: inbox, isNamed: isNamed)
        try await records.plant()
      }
      _ = try await filler.durable()
      if isCompacted {
        #expect(try await inbox.store.core.log.compactInbox(inbox.store.core))
      }
      #expect(try !PlantedInbox.marks(in: desk.folder.path).isEmpty)
      for id in ["x", "y-again"] {
        #expect(try await inbox.erase(objectClass, id).isWiped)
      }
      #expect(try PlantedInbox.marks(in: desk.folder.path) == [])
      await #expect(throws: IntentError.unknown(id: "x")) {
        try await inbox.erase(objectClass, "x")
      }
    }
  }

  /// Records many events, most of which compaction drops.
  private static func fill(_ inbox: Inbox) throws -> Receipt {
    let events = (0..<100).map { _ in CursorSet { ($0.stream, $0.cursor) = ("deltas", "a") } }
    let login = Login(account: inbox.account, epoch: 1)
    return try inbox.record(events, for: login, durability: .full)
  }

  @Test(arguments: ["local-1", "d1"], [false, true])
  func objectThatWasDeleted_isErased_byAnyIDOfIt(_ id: String, _ isCompacted: Bool) async throws {
    try await TestDesk.withInbox { inbox, desk in
      let filler = try Self.fill(inbox)
      let mark = PlantedInbox.mark
      for old in ["local-0", "local-1"] {
        try await inbox.record(Self.saving(of: old, "\(mark)\(old)"))
      }
      let names = ("local-1", "d1")
      let replaced = IDReplaced { ($0.objectClass, $0.old, $0.new) = (.draft, names.0, names.1) }
      for event: any InboxEvent in [replaced, Self.fact("d1", .whole), Self.fact("d1", .deleted)] {
        try await inbox.record(event)
      }
      let deletion = try await inbox.record(DeleteDraft { $0.id = "d1" })
      try await inbox.record(OperationAcknowledged { $0.intent = deletion })
      _ = try await filler.durable()
      #expect(try inbox.object(Draft.self, "d1") == nil)
      if isCompacted {
        #expect(try await inbox.store.core.log.compactInbox(inbox.store.core))
      }
      #expect(try await inbox.erase(Draft.self, id).isWiped)
      #expect(try PlantedInbox.marks("\(mark)local-1", in: desk.folder.path) == [])
      #expect(try !PlantedInbox.marks("\(mark)local-0", in: desk.folder.path).isEmpty)
      await #expect(throws: IntentError.unknown(id: id)) {
        try await inbox.erase(Draft.self, id)
      }
    }
  }

  /// The deletion of the other object stays recorded, or else that object would be back.
  @Test(arguments: [false, true]) func objectThatWasGivenTheSameName_staysAsItIs(
    _ isGone: Bool
  ) async throws {
    try await TestDesk.withInbox { inbox, desk in
      let mark = PlantedInbox.mark
      for id in ["local-1", "local-2"] {
        try await inbox.record(Self.saving(of: id, "\(mark)of \(id)"))
        try await inbox.record(
          IDReplaced { ($0.objectClass, $0.old, $0.new) = (.draft, id, "d1") })
        guard id == "local-1" || isGone else { continue }
        let deletion = try await inbox.record(DeleteDraft { $0.id = "d1" })
        try await inbox.record(OperationAcknowledged { $0.intent = deletion })
      }
      #expect(try (inbox.object(Draft.self, "d1") == nil) == isGone)
      try await inbox.erase(Draft.self, "local-1")
      let folder = desk.folder.path
      #expect(try PlantedInbox.marks("\(mark)of local-1", in: folder) == [])
      #expect(try !PlantedInbox.marks("\(mark)of local-2", in: folder).isEmpty)
      #expect(try (inbox.object(Draft.self, "d1") == nil) == isGone)
      try await inbox.erase(Draft.self, "d1")
      #expect(try PlantedInbox.marks(in: folder) == [])
    }
  }

  @Test func name_thatOnlyATombstoneKnows_isErased() async throws {
    try await TestDesk.withInbox { inbox, desk in
      let stone = RowKept {
        ($0.collection, $0.id) = (12, "\(Messages.collection.number)/1/local-1")
        $0.values = RowValues([6: .integer(1), 8: .text("d1")])
      }
      try await inbox.record(
        StateKept {
          $0.texts.put(.id, "local-1")
          $0.rows = [stone]
        })
      let opened = MessageOpened {
        ($0.objectClass, $0.id, $0.requestID) = (.message, "d1", "\(PlantedInbox.mark)request")
      }
      try await inbox.record(opened)
      #expect(try await inbox.erase(Draft.self, "local-1").recordCount == 1)
      #expect(try PlantedInbox.marks(in: desk.folder.path) == [])
    }
  }

  private static func saving(of id: String, _ subject: String) -> SaveDraft {
    SaveDraft {
      $0.draft.put(.id, id)
      $0.draft.put(.subject, subject)
    }
  }

  private static func fact(_ id: String, _ change: ObjectChange) -> ObjectFact {
    ObjectFact(
      .draft,
      ObjectFields {
        $0.put(.id, id)
        $0.put(.change, change)
        if change != .deleted { $0.put(.subject, "\(PlantedInbox.mark)local-1, told") }
      })
  }

  @Test func fileWithinAMessage_isErasedWithIt_andNotAlone() async throws {
    try await TestDesk.withInbox { inbox, desk in
      let file = ObjectFields {
        $0.put(.id, "f1")
        $0.put(.filename, "\(PlantedInbox.mark)file")
      }
      let fields = ObjectFields {
        $0.put(.id, "m1")
        $0.put(.files, [file])
      }
      try await inbox.record(ObjectFact(.message, fields))
      let stored = ContentStored { ($0.id, $0.content) = ("f1", "\(PlantedInbox.mark)path") }
      try await inbox.record(stored)
      let last = try inbox.store.core.log.last
      do {
        try await inbox.erase(Attachment.self, "f1")
        Issue.record("It was erased.")
      } catch IntentError.unfit(let objectClass, _, let remedy) {
        #expect(objectClass == .file && remedy == "Erase the message")
      }
      #expect(try inbox.store.core.log.last == last)
      #expect(try inbox.object(Attachment.self, "f1")?.localPath != nil)
      #expect(try await inbox.erase(Message.self, "m1").recordCount == 2)
      #expect(try PlantedInbox.marks(in: desk.folder.path) == [])
    }
  }

  @Test func objectsOfOtherClasses_stay_whereTheyHaveTheSameID() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      let mark = PlantedInbox.mark
      for objectClass in [ObjectClass.message, .rich] {
        let fields = ObjectFields {
          $0.put(.id, "x")
          $0.put(.subject, "\(mark)\(objectClass)")
        }
        try await inbox.record(ObjectFact(objectClass, fields))
        try await inbox.record(
          ItemRefused {
            ($0.objectClass, $0.id, $0.reason) = (objectClass, "x", "\(mark)refused \(objectClass)")
          })
      }
      let text = #"{"_sid": "SFMC", "_mt": 8, "_m": "x", "aps": {"alert": "\#(mark)alert"}}"#
      let payload = try PushPayload(json: Array(text.utf8))
      try await inbox.store.core.log.receive(payload, by: .marketingCloud, at: desk.now)
      let adding = try await inbox.record(
        AddFile { ($0.file, $0.draft) = (ObjectFields { $0.put(.id, "x") }, "d1") })
      try await inbox.record(
        OperationRejected { ($0.intent, $0.item, $0.error) = (adding, "x", "\(mark)upload") })

      #expect(try await inbox.erase(Message.self, "x").recordCount == 2)
      let folder = desk.folder.path
      for part in ["message", "refused message"] {
        #expect(try PlantedInbox.marks(mark + part, in: folder) == [])
      }
      for part in ["rich", "refused rich", "alert", "upload"] {
        #expect(try !PlantedInbox.marks(mark + part, in: folder).isEmpty)
      }
    }
  }

  /// Outcomes of an operation may be recorded while the log is searched.
  @Test func outcomes_thatAreRecordedMeanwhile_areErased() async throws {
    try await TestDesk.withInbox { inbox, desk in
      let name = ObjectName(.message, "m1")
      let records = PlantedRecords(name: name, inbox: inbox)
      let intent = try await records.record(MarkRead { $0.ids = ["m1"] })
      let log = try inbox.store.core.log
      let search = ErasureSearch(for: [name], of: inbox.account) { log.fingerprint(of: $0) }
      let report = try await inbox.store.erase(search) { _ in
        try await records.plantOutcomes(of: intent, item: nil)
      }
      #expect(report.isWiped && report.recordCount == 5)
      #expect(try PlantedInbox.marks(in: desk.folder.path) == [])
      // Another erasure finds later outcomes, though nothing is left of their object.
      try await records.plantOutcomes(of: intent, item: nil)
      #expect(try await inbox.erase(Message.self, "m1").recordCount == 4)
      #expect(try PlantedInbox.marks(in: desk.folder.path) == [])
    }
  }

  /// A refused item without a name may be any object, but is no sign that this one exists.
  @Test func unknownObject_isNotErased_thoughSomethingIsRefused() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"]])
      try await inbox.record(ItemRefused { $0.reason = "It has no id." })
      await #expect(throws: IntentError.unknown(id: "z")) {
        try await inbox.erase(MailThread.self, "z")
      }
      #expect(try await inbox.erase(MailThread.self, "a").recordCount == 2)
    }
  }

  /// Intents recorded since the erasure count, and so do their outcomes.
  @Test func intents_thatAreRecordedSince_stayWithTheirOutcomes() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let name = ObjectName(.message, "m1")
      let records = PlantedRecords(name: name, inbox: inbox)
      let log = try inbox.store.core.log
      var search = ErasureSearch(for: [name], of: inbox.account) { log.fingerprint(of: $0) }
      try search.look(at: log) { true }
      let intent = try await records.record(MarkRead { $0.ids = ["m1"] })
      try await records.plantOutcomes(of: intent, item: nil)
      try search.look(at: log) { true }
      #expect(search.numbers.isEmpty)
    }
  }

  @Test func erasureOfVeryMuch_isInParts() {
    let countMax = Erasure.itemsMax
    let cases = [(0, 0), (countMax, 0), (countMax + 9, 2 * countMax), (9, 1)]
    for (entityCount, numberCount) in cases {
      let entities = Set((0..<entityCount).map { Fingerprint(rawValue: UInt64($0)) })
      let numbers = (0..<numberCount).map { RecordNumber(rawValue: UInt64(2 * $0 + 1)) }
      let whole = Erasure(
        accounts: [1], entities: entities, numbers: numbers.map { $0...$0 }, last: 99)
      let parts = whole.parts
      let counts = parts.map { $0.accounts.count + $0.entities.count + $0.numbers.count }
      #expect(counts.allSatisfy { $0 <= countMax } && counts.dropLast().allSatisfy { $0 > 0 })
      #expect(counts.reduce(0, +) == 1 + entityCount + numberCount)
      #expect(parts.reduce(into: []) { $0.formUnion($1.entities) } == entities)
      #expect(Set(parts.flatMap(\.numbers)) == Set(whole.numbers))
      #expect(parts.allSatisfy { $0.last == 99 } && parts.last?.accounts == [1])
      // Outcomes of an intent are not erased before it.
      let lastOfIntents = parts.lastIndex { !$0.entities.isEmpty } ?? 0
      #expect(lastOfIntents <= parts.firstIndex { !$0.numbers.isEmpty } ?? parts.count)
    }
  }
}

extension Inbox {
  /// Erases an object of a class.
  @discardableResult
  fileprivate func erase(_ objectClass: ObjectClass, _ id: String) async throws -> ErasureReport {
    switch objectClass {
    case .message: try await erase(Message.self, id)
    case .rich: try await erase(RichMessage.self, id)
    case .draft: try await erase(Draft.self, id)
    case .tag: try await erase(Tag.self, id)
    case .file: try await erase(Attachment.self, id)
    default: try await erase(Contact.self, id)
    }
  }
}
