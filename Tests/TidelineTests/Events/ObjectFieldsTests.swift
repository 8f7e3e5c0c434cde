import EventStore
import TestSupport
import Testing
import Tideline

/// Object fields can be put in any order and are read in place.
@Suite struct ObjectFieldsTests {
  @Test func fields_putInAnyOrder_areTheSame() throws {
    for seed in 0..<200 as Range<UInt64> {
      var coder = RandomCoder(generator: SeededGenerator(seed: seed))
      let whole = coder.random(ObjectFields.self)
      var fields = ObjectFields()
      let bytes = PayloadWriter.bytes { whole.encode(into: &$0) }
      let payload = try PayloadFields(decoding: bytes.span.bytes)
      for field in payload.shuffled(using: &coder.generator) {
        guard let known = ObjectField(rawValue: field.number) else { continue }
        fields.put(raw: known) { $0.put($1, field.value) }
      }
      #expect(fields == whole && fields.hashValue == whole.hashValue, "seed \(seed)")
    }
  }

  @Test func digest_tellsFieldsApart_butNotWhatBecameOfThem() {
    var digests: [UInt64: ObjectFields] = [:]
    for seed in 0..<1_000 as Range<UInt64> {
      var coder = RandomCoder(generator: SeededGenerator(seed: seed))
      var fields = coder.random(ObjectFields.self)
      fields.remove(.change)
      #expect(digests[fields.digest] ?? fields == fields, "seed \(seed)")
      digests[fields.digest] = fields
      var changed = fields
      changed.put(.change, ObjectChange.whole)
      #expect(changed.digest == fields.digest && changed != fields, "seed \(seed)")
    }
    #expect(ObjectFields().digest != ObjectFields { $0.putNull(.subject) }.digest)
  }

  @Test func field_putTwice_isTheLast() {
    var fields = ObjectFields()
    fields.put(.subject, "A")
    fields.put(.id, "1")
    fields.put(.subject, "B")
    fields.put(.id, "2")
    #expect(fields.numbers == [1, 16] && fields.id == "2" && fields.text(.subject) == "B")
  }

  @Test func field_putBehindOneThatWasRemoved_isTheLast() {
    var fields = ObjectFields()
    fields.put(.id, "1")
    fields.put(.subject, "A")
    fields.remove(.subject)
    fields.put(.version, 3)
    fields.put(.subject, "B")
    #expect(
      fields
        == ObjectFields {
          $0.put(.id, "1"); $0.put(.version, 3); $0.put(.subject, "B")
        })
    #expect(fields.count == 3)
    fields.removeAll()
    fields.put(.id, "2")
    #expect(fields == ObjectFields { $0.put(.id, "2") })
  }

  @Test(.feature(21)) func null_isNotAbsent() {
    var fields = ObjectFields { $0.putNull(.subject) }
    #expect(fields.has(.subject) && fields.isNull(.subject) && fields.text(.subject) == nil)
    #expect(!fields.has(.body) && !fields.isNull(.body))
    #expect(fields != ObjectFields())
    fields.remove(.subject)
    fields.remove(.body)
    #expect(fields == ObjectFields())
    #expect(ObjectFields { $0.put(.files, [ObjectFields]()) }.files(.files) == [])
  }

  @Test(.feature(86)) func values_areThoseThatWerePut() throws {
    let time = Timestamp(rawValue: -1)
    let people = [ObjectPerson(name: "Ann", email: nil)]
    let fields = ObjectFields {
      $0.put(.date, time, text: "yesterday")
      $0.put(.from, people)
      $0.put(.tags, [ObjectLabel("inbox")])
      $0.put(.isUnread, false)
      $0.put(.size, .min)
      $0.put(.custom, json: [0])
    }
    #expect(fields.time(.date) == time && fields.text(.dateText) == "yesterday")
    #expect(fields.people(.from) == people && fields.labels(.tags) == [ObjectLabel("inbox")])
    #expect(fields.boolean(.isUnread) == false && fields.integer(.size) == .min)
    #expect(fields.json(.custom) == [0] && fields.change == .changed)
    #expect(fields.text(.date) == nil && fields.count == 7)
  }

  @Test func borrowedText_isTheText() {
    let bytes = Array("Lunch? é".utf8)
    let fields = ObjectFields {
      $0.put(raw: .subject) { $0.put($1, utf8: bytes.span.bytes) }
      $0.put(raw: .messageIDs) { writer, number in
        writer.putList(number) { $0.append(utf8: bytes.span.bytes) }
      }
    }
    #expect(fields.text(.subject) == "Lunch? é" && fields.texts(.messageIDs) == ["Lunch? é"])
  }

  @Test func unknownFields_areKept() throws {
    let payload: PayloadFields = [1: .text("1"), 300: .list([.null]), 511: .double(1)]
    let fields = try ObjectFields(whole: payload.encoded.span.bytes)
    #expect(PayloadWriter.bytes { fields.encode(into: &$0) } == payload.encoded)
    #expect(fields.line == "id=“1” field 300 field 511")
    let beyond: PayloadFields = [1: .text("1"), 512: .null]
    #expect(throws: EventError.self) { try ObjectFields(whole: beyond.encoded.span.bytes) }
  }

  @Test func removeAll_leavesNothing() {
    var fields = ObjectFields { $0.put(.id, "1") }
    fields.removeAll()
    #expect(fields == ObjectFields() && fields.count == 0)
    fields.put(.subject, "A")
    #expect(fields == ObjectFields { $0.put(.subject, "A") })
  }

  @Test func reader_findsFieldsInAnyOrder() throws {
    for seed in 0..<200 as Range<UInt64> {
      var coder = RandomCoder(generator: SeededGenerator(seed: seed))
      let event = coder.event(SaveDraft.self)
      let payload = event.payload
      var reader = ObjectReader(payload.span.bytes)
      for _ in 0..<50 {
        let field = ObjectField.allCases[coder.number(below: ObjectField.allCases.count)]
        let found = try isNull(field, &reader)
        #expect((found != nil) == event.draft.has(field), "seed \(seed), \(field)")
        #expect((found ?? false) == event.draft.isNull(field), "seed \(seed), \(field)")
      }
    }
  }

  private func isNull(
    _ field: ObjectField, _ reader: inout ObjectReader
  ) throws(PayloadError) -> Bool? {
    guard let read = try reader.field(field) else { return nil }
    return read.isNull
  }

  @Test func field_ofAnotherType_traps() async {
    await #expect(processExitsWith: .failure) {
      var fields = ObjectFields()
      fields.put(.subject, true)
    }
  }
}
