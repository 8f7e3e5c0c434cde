import EventStore
import Tideline

extension JSONWriter {
  /// Writes the version of an object, if it has one.
  mutating func version(_ version: Int64?) {
    if let version { member("version", version) }
  }

  /// Writes the fields of a draft except its id and version.
  ///
  /// An empty field is written only if it is known to be empty: the server's draft may have more
  /// than is known here.
  ///
  /// - Parameter text: The text of the draft; if the draft has one and this is `nil`, none is
  ///   written.
  mutating func draft(_ draft: Draft, text: String?) {
    if draft.statesSubject { member("subject", draft.subject) }
    if draft.states(text: text) { member("body", text) }
    for (name, property) in Self.people where draft.states(property) {
      member(name, draft[keyPath: property]) { $0.person($1) }
    }
    if let thread = draft.threadID { member("thread_id", thread) }
    if let message = draft.replyToMessageID { member("reply_to_message_id", message) }
    if draft.statesFiles { member("file_ids", draft.fileIDs.sorted()) }
  }

  private static var people: [(String, KeyPath<Draft, [Participant]>)] {
    [
      ("from", \.from), ("reply_to", \.replyTo), ("to", \.to), ("cc", \.cc), ("bcc", \.bcc),
    ]
  }

  private mutating func person(_ person: Participant) {
    object { json in
      if let name = person.name { json.member("name", name) }
      json.member("email", person.email)
    }
  }
}

/// What a request to save a draft states: what has a value, and what is known to have none.
extension Draft {
  var statesSubject: Bool { subject != nil || knows(\.subject) }

  var statesFiles: Bool { !fileIDs.isEmpty || knows(\.fileIDs) }

  func states(text: String?) -> Bool { text != nil || knows(\.body) && body == nil }

  func states(_ people: KeyPath<Draft, [Participant]>) -> Bool {
    !self[keyPath: people].isEmpty || knows(people)
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
