import EventStore
import Testing
import Tideline

/// Every kind is known by its number, its name and its type.
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
      let isIntent = type.kind.rawValue >> 8 == 4 || type == AlertOpened.self
      #expect((type.origin == .intent) == isIntent, "\(type)")
    }
  }

  @Test func fields_ascendAndHaveNamesOfTheirOwn() {
    for type in EventCatalog.types {
      let fields = shape(of: type).fields
      let numbers = fields.map(\.number)
      #expect(numbers == Set(numbers).sorted(), "\(type)")
      #expect(Set(fields.map(\.name)).count == fields.count, "\(type)")
      let lowest = shape(of: type).hasObject ? ObjectField.numberMax + 1 : 1
      #expect(numbers.allSatisfy { $0 >= lowest }, "\(type)")
    }
  }

  private func shape<E: FieldedEvent>(of type: E.Type) -> EventShape { EventShape(of: type) }

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
