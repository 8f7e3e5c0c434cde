import EventStore
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineServer

/// An object that a server writes is read back as the same object.
@Suite struct FactWritingTests {
  private static let classes: [ObjectClass] = [
    .account, .thread, .message, .draft, .tag, .contact, .file, .rich, .other,
  ]

  private func written(_ fact: ObjectFact) throws -> ObjectFact {
    let text = JSONWriter.text { $0.fact(fact) }
    let answer = try ObjectAnswer(Array(text.utf8).payloadBytes, of: fact.objectClass, as: .changed)
    #expect(answer.items.refused.isEmpty, "\(answer.items.refused.map(\.line)) \(text)")
    return try #require(answer.items.facts.first)
  }

  /// Each field of the class may be present, absent or null, and may hold any value.
  @Test(arguments: classes) func fact_isReadAsItWas(objectClass: ObjectClass) throws {
    var generator = SeededGenerator(seed: UInt64(objectClass.rawValue))
    for _ in 0..<300 {
      let fact = ObjectFact(objectClass, fields(of: objectClass, &generator))
      #expect(try written(fact) == fact)
    }
  }

  @Test(arguments: [0, -1000, 1_700_000_000_000, 1_700_000_000_123, 99_999, -1, 50])
  func time_isExact(milliseconds: Int64) throws {
    let time = Timestamp(rawValue: milliseconds)
    let fact = ObjectFact(
      .message,
      ObjectFields {
        $0.put(.id, "m")
        $0.put(.date, time)
      })
    #expect(try written(fact).fields.time(.date) == time)
  }

  @Test func picture_isAnObject() {
    let fact = ObjectFact(
      .rich,
      ObjectFields {
        $0.put(.id, "r")
        $0.put(.mediaURL, "a")
        $0.put(.mediaText, "b")
      })
    let text = JSONWriter.text { $0.fact(fact) }
    #expect(text == #"{"id":"r","object":"rich","media":{"url":"a","altText":"b"}}"#)
  }

  @Test func class_isNamed() {
    for objectClass in Self.classes where objectClass != .other {
      let fact = ObjectFact(objectClass, ObjectFields { $0.put(.id, "1") })
      let text = JSONWriter.text { $0.fact(fact) }
      #expect(text == #"{"id":"1","object":"\#(objectClass.word ?? "")"}"#)
    }
  }

  private func fields(
    of objectClass: ObjectClass, _ generator: inout SeededGenerator
  ) -> ObjectFields {
    var fields = ObjectFields()
    for row in FieldTable.of(objectClass).rows {
      let isAbsent = Int.random(in: 0..<3, using: &generator) == 0
      if row.field == .id || !isAbsent { put(row, objectClass, &fields, &generator) }
    }
    // A reader keeps members that it may not fully understand as unknown.
    let media = fields.has(.mediaURL) ? [#""media":{"url":"a","altText":"é","more":1}"#] : []
    let odd = Bool.random(using: &generator) ? [#""odd one":[1,{"a":null}],"é":"\n""#] : []
    let unknown = (media + odd).joined(separator: ",")
    if !unknown.isEmpty { fields.put(.unknown, json: Array("{\(unknown)}".utf8)) }
    return fields
  }

  private func put(
    _ row: FieldTable.Row, _ objectClass: ObjectClass, _ fields: inout ObjectFields,
    _ generator: inout SeededGenerator
  ) {
    let field = row.field
    let isNull = Int.random(in: 0..<8, using: &generator) == 0
    switch row.reading {
    case .className:
      if objectClass == .other { fields.put(field, "star") }
    case .media:
      fields.put(.mediaURL, "a")
      fields.put(.mediaText, "é")
    case _ where isNull && field != .id && field != .version: fields.putNull(field)
    case .text, .id: fields.put(field, text(&generator))
    case .integer: fields.put(field, .random(in: .min ... .max, using: &generator))
    case .flag: fields.put(field, Bool.random(using: &generator))
    case .time:
      fields.put(
        field, Timestamp(rawValue: .random(in: 100_000_000_000...(1 << 45), using: &generator)))
    case .people: fields.put(field, [ObjectPerson(name: text(&generator), email: "a@x")])
    case .labels: fields.put(field, [ObjectLabel("a", name: text(&generator)), ObjectLabel("b")])
    case .texts, .numbers: fields.put(field, [text(&generator), text(&generator)])
    case .files:
      let file = ObjectFields {
        $0.put(.id, "f")
        $0.put(.filename, "a")
      }
      fields.put(field, [file])
    case .json: fields.put(field, json: Array(#"{"a":[1,2.5e3]}"#.utf8))
    }
  }

  private func text(_ generator: inout SeededGenerator) -> String {
    let letters = ["a", "é", "\"", "\\", "\n", "\u{1}", "😀", "/", "<"]
    let count = Int.random(in: 1...6, using: &generator)
    return (0..<count).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
  }
}
