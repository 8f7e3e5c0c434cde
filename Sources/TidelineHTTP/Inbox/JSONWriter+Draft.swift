import EventStore
import Tideline

extension JSONWriter {
  /// Writes a list of texts.
  mutating func strings(_ texts: [String]) {
    array { json in for text in texts { json.string(text) } }
  }

  /// Writes the version of an object, if it has one.
  mutating func version(_ version: Int64?) {
    guard let version else { return }
    name("version")
    number(version)
  }

  /// Writes what a draft says, without its id and its version: what is null is written as null, and
  /// what is absent is not written.
  mutating func draft(_ draft: ObjectFields) {
    for (field, key) in Self.draftFields where draft.has(field) {
      name(key)
      if draft.isNull(field) {
        null()
      } else if let text = draft.text(field) {
        string(text)
      } else if let people = draft.people(field) {
        array { json in for person in people { json.person(person) } }
      } else {
        strings(draft.texts(field) ?? draft.files(field)?.compactMap(\.id) ?? [])
      }
    }
  }

  private static let draftFields: [(ObjectField, String)] = [
    (.subject, "subject"), (.body, "body"), (.from, "from"), (.replyTo, "reply_to"),
    (.to, "to"), (.cc, "cc"), (.bcc, "bcc"), (.thread, "thread_id"),
    (.repliedMessage, "reply_to_message_id"), (.fileIDs, "file_ids"),
  ]

  private mutating func person(_ person: ObjectPerson) {
    object { json in
      if let name = person.name {
        json.name("name")
        json.string(name)
      }
      if let email = person.email {
        json.name("email")
        json.string(email)
      }
    }
  }
}

extension String {
  /// The text as a part of a path or a query: all but letters, digits and four marks is escaped.
  var percentEncoded: String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: [byte]
      default: [0x25, digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
