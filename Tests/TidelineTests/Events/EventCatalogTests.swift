import EventStore
import Foundation
import Testing
import Tideline

/// Every kind can be looked up by its number, its name and its type.
@Suite struct EventCatalogTests {
  @Test func kinds_areOrderedAndOnce() {
    let kinds = EventCatalog.types.map { $0.kind.rawValue }
    #expect(kinds == Set(kinds).sorted())
    for type in EventCatalog.types {
      #expect(EventCatalog.type(of: type.kind) == type)
      #expect(EventCatalog.name(of: type.kind) == "\(type)")
    }
  }

  @Test func families_holdIntentsWhereTheyAre() {
    for type in EventCatalog.types {
      let isIntent = type.kind.family == .intent || type == AlertOpened.self
      #expect((type.origin == .intent) == isIntent, "\(type)")
    }
  }

  @Test func what_isNamedOnceOrMore_isOneThing() {
    for event in EventSamples.all {
      #expect(event.entity.map(event.names.contains) ?? true, "\(event.line)")
      let isOne = Set(event.names).count == 1
      #expect((event.entity != nil) == isOne, "\(event.line)")
    }
    #expect(MarkRead { $0.ids = ["m7", "m7"] }.entity == ObjectName(.message, "m7"))
    #expect(MarkRead { $0.ids = ["m7", "m8"] }.names.count == 2)
  }

  @Test func fields_ascendAndHaveNamesOfTheirOwn() {
    for type in EventCatalog.types {
      let fields = EventShape(of: type).fields
      let numbers = fields.map(\.number)
      #expect(numbers == Set(numbers).sorted(), "\(type)")
      #expect(Set(fields.map(\.name)).count == fields.count, "\(type)")
      let lowest = EventShape(of: type).hasObject ? ObjectField.numberMax + 1 : 1
      #expect(numbers.allSatisfy { $0 >= lowest }, "\(type)")
    }
  }

  @Test func paths_haveTheNamesOfTheirFields() throws {
    let paths: [([Int], EventKind)] = [
      ([513], SaveDraft.kind), ([16], SaveDraft.kind), ([512, 1], MarkRead.kind),
      ([16, 2], Exchange.kind), ([112, 2], ObjectClass.message.kind),
      ([147, 27], ObjectClass.message.kind),
    ]
    let names = paths.map { EventCatalog.name(of: $0.0, in: $0.1) }
    #expect(names == ["baseVersion", "subject", "key", "ids", "email", "filename"])
    for path in [[], [999], [1, 1]] {
      #expect(EventCatalog.name(of: path, in: MarkRead.kind) == nil)
      #expect(EventCatalog.name(of: path, in: EventKind(rawValue: 0x0FFF)) == nil)
    }
  }

  @Test func samples_haveNamesForAllFields() throws {
    for event in EventSamples.all {
      let fields = try PayloadFields(decoding: event.payload.span.bytes)
      var unnamed: [[Int]] = []
      let json = fields.json { path in
        let name = EventCatalog.name(of: path, in: event.kind)
        // A row's values use the field numbers of the row's collection, whichever collection that
        // is.
        let isOfRow = event is StateKept && path.starts(with: [512, 3])
        if name == nil, !isOfRow { unnamed.append(path) }
        return name
      }
      #expect(unnamed == [], "\(event.kind)")
      let members = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      #expect(members?.count == fields.count, "\(json)")
    }
  }

  @Test func objectClasses_areKinds() {
    for objectClass in ObjectClass.allCases {
      #expect(ObjectClass(objectClass.kind) == objectClass)
      #expect(EventCatalog.name(of: objectClass.kind) == "\(objectClass)")
    }
    #expect(ObjectClass(EventKind(rawValue: 0x0201)) == nil)
    #expect(ObjectClass(EventKind(rawValue: 0x0109)) == nil)
  }

  @Test func objectFields_haveNumbersThatReferencesCanName() {
    for field in ObjectField.allCases {
      #expect(field.rawValue <= ObjectField.numberMax)
      if field.content == .time { #expect(field.original?.content == .text, "\(field)") }
    }
  }
}
