import EventStore
import TestSupport
import Tideline

/// Fills the fields of events with random values of their types.
struct RandomCoder: EventCoder {
  var generator: SeededGenerator

  mutating func code<Value: EventValue>(_ number: Int, _ name: String, _ value: inout Value) {
    value = random(Value.self)
  }

  mutating func code(object: inout ObjectFields) { object = random(ObjectFields.self) }

  /// Returns an event of the given type with random fields.
  mutating func event<E: FieldedEvent>(_ type: E.Type) -> E {
    var event = E()
    event.code(&self)
    return event
  }

  mutating func random<Value: EventValue>(_ type: Value.Type) -> Value {
    let value: Any =
      switch type {
      case let type as any RandomValue.Type: type.random(&self)
      case let type as any EventCode.Type: code(type)
      case let type as any EventPart.Type: part(type)
      default: preconditionFailure("\(type) has no random values")
      }
    guard let value = value as? Value else { preconditionFailure("\(value) is no \(type)") }
    return value
  }

  private mutating func code<Code: EventCode>(_ type: Code.Type) -> Code {
    let cases = Array(Code.allCases)
    return cases[number(below: cases.count)]
  }

  private mutating func part<Part: EventPart>(_ type: Part.Type) -> Part {
    var part = Part()
    part.code(&self)
    return part
  }

  mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  mutating func bytes() -> [UInt8] {
    (0..<number(below: 6)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }
}

/// A type that can generate random values of itself.
protocol RandomValue {
  static func random(_ coder: inout RandomCoder) -> Self
}

extension String: RandomValue {
  static func random(_ coder: inout RandomCoder) -> String {
    let alphabet: [Character] = [
      "a", "b", "é", "e\u{301}", "\u{301}", "🐚", "\0", "“", " ", "\n", "/",
    ]
    let letters = (0..<coder.number(below: 8)).map { _ in
      alphabet[coder.number(below: alphabet.count)]
    }
    return String(letters)
  }
}

extension Int64: RandomValue {
  static func random(_ coder: inout RandomCoder) -> Int64 {
    let bits = Int64(bitPattern: coder.generator.next())
    return bits >> Int64(coder.number(below: 64))
  }
}

extension Bool: RandomValue {
  static func random(_ coder: inout RandomCoder) -> Bool { coder.number(below: 2) == 1 }
}

extension Timestamp: RandomValue {
  static func random(_ coder: inout RandomCoder) -> Timestamp {
    Timestamp(rawValue: .random(&coder))
  }
}

extension RecordNumber: RandomValue {
  static func random(_ coder: inout RandomCoder) -> RecordNumber {
    RecordNumber(rawValue: UInt64(bitPattern: .random(&coder)))
  }
}

extension EventBytes: RandomValue {
  static func random(_ coder: inout RandomCoder) -> EventBytes { EventBytes(coder.bytes()) }
}

extension RowValues: RandomValue {
  static func random(_ coder: inout RandomCoder) -> RowValues {
    var values = RowValues()
    for _ in 0..<coder.number(below: 4) {
      let number = 1 + coder.number(below: 64)
      values.fields[number] = .integer(Int64(coder.number(below: 1000)))
    }
    return values
  }
}

extension OperationKey: RandomValue {
  static func random(_ coder: inout RandomCoder) -> OperationKey {
    OperationKey(using: &coder.generator)
  }
}

extension Optional: RandomValue where Wrapped: EventValue {
  static func random(_ coder: inout RandomCoder) -> Wrapped? {
    coder.number(below: 2) == 0 ? nil : coder.random(Wrapped.self)
  }
}

extension Array: RandomValue where Element: EventValue {
  static func random(_ coder: inout RandomCoder) -> [Element] {
    (0..<coder.number(below: 4)).map { _ in coder.random(Element.self) }
  }
}

extension ObjectFields: RandomValue {
  static func random(_ coder: inout RandomCoder) -> ObjectFields {
    var fields = ObjectFields()
    for _ in 0..<coder.number(below: 12) {
      fields.put(ObjectField.allCases[coder.number(below: ObjectField.allCases.count)], &coder)
    }
    fields.put(.id, String.random(&coder))
    return fields
  }

  /// Puts a random value or null into the field.
  private mutating func put(_ field: ObjectField, _ coder: inout RandomCoder) {
    guard coder.number(below: 5) > 0 else { return putNull(field) }
    switch field.content {
    case .text: put(field, String.random(&coder))
    case .json: put(field, json: coder.bytes())
    case .integer: put(field, Int64.random(&coder))
    case .time: put(field, coder.random(Timestamp?.self), text: coder.random(String?.self))
    case .boolean: put(field, Bool.random(&coder))
    case .change: put(field, coder.random(ObjectChange.self))
    case .people: put(field, coder.random([ObjectPerson].self))
    case .labels: put(field, coder.random([ObjectLabel].self))
    case .texts: put(field, coder.random([String].self))
    case .files: put(field, [ObjectFields()])
    }
  }
}
