import EventStore
import Testing
import Tideline

/// Fields written in order equal fields put one by one.
@Suite struct ObjectWriterTests {
  private let text = Array("Lunch?".utf8)

  private func write(_ writer: inout ObjectWriter) {
    writer.put(.id, utf8: text.payloadBytes)
    writer.put(.whole)
    writer.put(.version, 3)
    writer.put(.unknown, json: text.payloadBytes)
    writer.putNull(.subject)
    writer.put(.date, -5)
    writer.put(.isUnread, true)
    let people = writer.beginList(.from)
    let person = writer.beginItem()
    writer.put(part: ObjectWriter.PersonPart.email, utf8: text.payloadBytes)
    writer.put(part: ObjectWriter.PersonPart.unknown, json: text.payloadBytes)
    writer.end(person)
    writer.end(people)
    let labels = writer.beginList(.tags)
    let label = writer.beginItem()
    writer.put(part: ObjectWriter.LabelPart.id, utf8: text.payloadBytes)
    writer.put(part: ObjectWriter.LabelPart.displayName, utf8: text.payloadBytes)
    writer.end(label)
    writer.end(labels)
    let ids = writer.beginList(.messageIDs)
    writer.item(utf8: text.payloadBytes)
    writer.end(ids)
    let files = writer.beginList(.files)
    let file = writer.beginItem()
    writer.put(.id, utf8: text.payloadBytes)
    writer.put(.size, 7)
    writer.end(file)
    writer.end(files)
  }

  private var expected: ObjectFields {
    ObjectFields {
      $0.put(.id, "Lunch?")
      $0.put(.change, ObjectChange.whole)
      $0.put(.version, 3)
      $0.put(.unknown, json: text)
      $0.putNull(.subject)
      $0.put(.date, Timestamp(rawValue: -5))
      $0.put(.isUnread, true)
      var person = ObjectPerson(email: "Lunch?")
      person.unknown = EventBytes(text)
      $0.put(.from, [person])
      $0.put(.tags, [ObjectLabel("Lunch?", displayName: "Lunch?")])
      $0.put(.messageIDs, ["Lunch?"])
      $0.put(
        .files,
        [
          ObjectFields {
            $0.put(.id, "Lunch?")
            $0.put(.size, 7)
          }
        ])
    }
  }

  @Test func objects_writtenOneAfterAnother_areThemselves() throws {
    var writer = ObjectWriter()
    for _ in 0..<3 {
      write(&writer)
      writer.endObject()
    }
    let objects = take(&writer)
    #expect(objects.count == 3)
    for fields in objects {
      #expect(fields == expected && fields.digest == expected.digest)
      #expect(fields.numbers == expected.numbers)
      // A field that is put later lands in its proper position.
      var changed = fields
      changed.put(.namespace, "n")
      #expect(changed.text(.namespace) == "n" && changed.id == "Lunch?")
      changed.remove(.namespace)
      #expect(changed == fields && changed.hashValue == fields.hashValue)
      changed.removeAll()
      #expect(changed == ObjectFields() && fields == expected)
    }
    #expect(take(&writer).isEmpty && writer.count == 0)
  }

  @Test func discard_leavesNothing_whateverWasOpen() {
    var writer = ObjectWriter()
    writer.put(.id, utf8: text.payloadBytes)
    _ = writer.beginList(.from)
    _ = writer.beginItem()
    writer.discard()
    #expect(writer.count == 0)
    write(&writer)
    writer.endObject()
    let count = writer.written.byteCount
    writer.put(.id, utf8: text.payloadBytes)
    _ = writer.beginList(.from)
    #expect(writer.count > 0 && count == 0)
    writer.discard()
    write(&writer)
    writer.endObject()
    writer.put(.id, utf8: text.payloadBytes)
    #expect(take(&writer) == [expected, expected])
  }

  private func take(_ writer: inout ObjectWriter) -> [ObjectFields] {
    var objects: [ObjectFields] = []
    writer.takeObjects { index, fields in
      #expect(index == objects.count)
      objects.append(fields)
    }
    return objects
  }
}
