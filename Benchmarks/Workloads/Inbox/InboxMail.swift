import BenchmarkPeers
import EventStore
import Tideline

/// A mailbox as servers report it: a fact for each message and each thread.
struct InboxMail {
  let mailbox: Mailbox
  /// The number of different senders; 0 if facts name none.
  var contactCount = 0

  /// The login of all facts.
  static let login = Login(account: 1, epoch: 1)
  static let now = Timestamp(rawValue: 1_700_000_000_000)
  private static let subject = "Minutes of the meeting, and what comes of"
  private static let snippet = String(
    repeating: "and so on, as they had said it before; ", count: 3)

  /// Returns an id as text of 24 characters, like those of servers.
  static func text(_ id: MailID) -> String {
    unsafe withUnsafeTemporaryAllocation(byteCount: MailID.length, alignment: 1) { bytes in
      unsafe id.write(to: bytes)
      return unsafe "msg-" + String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Returns the address of a contact.
  static func address(_ contact: Int) -> String { "contact-\(contact)@example.com" }

  /// Returns the tags of an item: one to four of fifty.
  private func tags(of item: MailItem) -> [ObjectLabel] {
    let count = 1 + item.number % 4
    return (0..<count).map { ObjectLabel("tag-\((Int(item.tags.0) + $0 * 13) % 50)") }
  }

  /// Returns the fields of an item's fact.
  func fields(_ number: Int) -> ObjectFields {
    let item = mailbox[number]
    return ObjectFields { fields in
      fields.put(.id, Self.text(item.id))
      fields.put(.change, ObjectChange.created)
      fields.put(.subject, String(Self.subject.prefix(36)) + " \(number % 1000)")
      fields.put(.snippet, Self.snippet)
      fields.put(.thread, Self.text(item.groupID))
      fields.put(.date, Timestamp(rawValue: item.date))
      fields.put(.isUnread, item.isUnread)
      if contactCount > 0 {
        fields.put(.from, [ObjectPerson(name: nil, email: Self.address(number % contactCount))])
      }
      fields.put(.tags, tags(of: item))
    }
  }

  /// Returns the payload of an item's fact.
  func payload(_ number: Int) -> [UInt8] { ObjectFact(.message, fields(number)).payload }

  /// Returns the payload of a thread's fact.
  func threadPayload(_ group: Int) -> [UInt8] {
    let fields = ObjectFields { fields in
      fields.put(.id, Self.text(MailID(group: group)))
      fields.put(.change, ObjectChange.created)
      fields.put(.subject, String(Self.subject.prefix(36)) + " \(group % 1000)")
      fields.put(.lastMessageDate, Timestamp(rawValue: mailbox[group % mailbox.count].date))
      fields.put(.tags, [ObjectLabel("inbox")])
    }
    return ObjectFact(.thread, fields).payload
  }

  /// Returns a batch of facts.
  static func batch(
    _ payloads: some Collection<[UInt8]>, of objectClass: ObjectClass = .message
  ) -> Batch {
    var batch = Batch()
    let event = Event(kind: objectClass.kind, recordedAt: now, login: login)
    for payload in payloads { batch.add(event, payload: payload.payloadBytes) }
    return batch
  }

  /// Returns the server's JSON delta with the same content as an item's fact, without body, people
  /// or files.
  func json(_ number: Int) -> String {
    let item = mailbox[number]
    let (id, cursor) = (Self.text(item.id), Self.text(item.id) + "0")
    let labels = tags(of: item).map { "{\"id\":\"\($0.id)\"}" }.joined(separator: ",")
    return """
      {"cursor":"\(cursor)","object":"message","event":"create","id":"\(id)","attributes":\
      {"id":"\(id)","object":"message","thread_id":"\(Self.text(item.groupID))",\
      "subject":"\(Self.subject.prefix(36)) \(number % 1000)","snippet":"\(Self.snippet)",\
      "date":\(item.date / 1000),"unread":\(item.isUnread),"labels":[\(labels)]}}
      """
  }
}
