import EventStore
import Testing
import Tideline

/// Events match their documentation in numbers, fields, bytes and lines.
@Suite struct EventFormatTests {
  private let document: EventDocument

  init() throws { document = try EventDocument("Events") }

  @Test func samples_haveTheBytesOfTheDocument() throws {
    for event in EventSamples.all {
      let name = try #require(EventCatalog.name(of: event.kind))
      let expected = try EventDocument.block(of: event, names: names(of: event.kind))
      let block = document.block(name)
      #expect(block == expected, "\(name):\n\(expected)\n")
      let read = try EventCatalog.event(
        of: event.kind, version: event.version, EventDocument.bytes(in: block).span.bytes)
      #expect(AnyHashable(read) == AnyHashable(event), "\(name)")
    }
  }

  /// Returns the names of the event's own fields, without those of an object.
  private func names(of kind: EventKind) -> [Int: String] {
    let fields = EventCatalog.shape(of: kind)?.fields ?? []
    return Dictionary(uniqueKeysWithValues: fields.map { ($0.number, $0.name) })
  }

  @Test func events_haveTheFieldsOfTheDocument() {
    for type in EventCatalog.types {
      let rows = document.rows("\(type)", columns: 3)
      #expect(rows == EventDocument.rows(of: EventShape(of: type)), "\(type)")
    }
  }

  @Test func events_haveTheKindsOfTheDocument() {
    let expected = EventCatalog.types.map { type in
      let digits = String(0x10000 + Int(type.kind.rawValue), radix: 16, uppercase: true).dropFirst()
      return "0x\(digits) | \(type) | \(type.origin) | \(type.version)"
    }
    #expect(document.rows("All kinds", columns: 4) == expected)
    let objects = ObjectClass.allCases.map { objectClass in
      let digits = String(0x10000 + Int(objectClass.kind.rawValue), radix: 16).dropFirst()
      return "0x\(digits.uppercased()) | \(objectClass) | fact | \(ObjectFact.version)"
    }
    #expect(document.rows("Objects", columns: 4) == objects)
  }

  @Test func objects_haveTheFieldsOfTheDocument() {
    let expected = ObjectField.allCases.map { "\($0.rawValue) | \($0.name) | \($0.content)" }
    #expect(document.rows("Fields of objects", columns: 3) == expected)
  }

  @Test func parts_haveTheFieldsOfTheDocument() {
    let parts: [any EventPart.Type] = [
      IntentTerms.self, ObjectLabel.self, ObjectName.self, ObjectNames.self, ObjectPerson.self,
      PolicySwitches.self, RangeEnd.self, RowKept.self,
    ]
    for part in parts {
      #expect(document.rows("\(part)", columns: 3) == EventDocument.rows(of: EventShape(of: part)))
    }
  }

  @Test func types_areAllInTheDocument() {
    let fields = EventCatalog.types.flatMap { EventShape(of: $0).fields }
    let types = (fields + fields.flatMap(\.parts)).map { $0.type.replacing("list of ", with: "") }
    for type in Set(types) where type.first?.isUppercase == true {
      #expect(document.sections[type] != nil, "\(type)")
    }
  }

  @Test func codes_areThoseOfTheDocument() {
    let codes: [any EventCode.Type] = [
      AbandonmentReason.self, BackoffResetReason.self, ClockReason.self, Completeness.self,
      CursorResetReason.self, DeferralReason.self, ExchangeRequest.self, MarkAllAction.self,
      ObjectChange.self, ObjectClass.self, PendingIntents.self, PrivacyMode.self, ReadOwner.self,
      RefreshOutcome.self, RefreshTrigger.self, RejectionReason.self, SilentPushPurpose.self,
      TagGesture.self, UncertaintyReason.self,
    ]
    for code in codes {
      #expect(document.rows("\(code)", columns: 2) == rows(of: code), "\(code)")
    }
  }

  private func rows<Code: EventCode>(of type: Code.Type) -> [String] {
    type.allCases.map { "\($0.rawValue) | \($0)" }
  }
}
