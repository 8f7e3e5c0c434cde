import BenchmarkPeers
import EventStore
import Tideline

/// A mailbox as servers tell of it: a fact for each message, and for each thread.
struct InboxMail {
  let mailbox: Mailbox
  /// How many people send them, if it is told who does.
  var contactCount = 0

  /// The login under which everything is told.
  static let login = Login(account: 1, epoch: 1)
  static let now = Timestamp(rawValue: 1_700_000_000_000)
  private static let subject = "Minutes of the meeting, and what comes of"
  private static let snippet = String(
    repeating: "and so on, as they had said it before; ", count: 3)

  /// A text of an id as servers give them, of 24 characters.
  static func text(_ id: MailID) -> String {
    unsafe withUnsafeTemporaryAllocation(byteCount: MailID.length, alignment: 1) { bytes in
      unsafe id.write(to: bytes)
      return unsafe "msg-" + String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The address of somebody.
  static func address(_ contact: Int) -> String { "contact-\(contact)@example.com" }

  /// The tags of an item: one to four of fifty.
  private func tags(of item: MailItem) -> [ObjectLabel] {
    let count = 1 + item.number % 4
    return (0..<count).map { ObjectLabel("tag-\((Int(item.tags.0) + $0 * 13) % 50)") }
  }

  /// What is told of an item.
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

  /// The payload of the fact that tells of an item.
  func payload(_ number: Int) -> [UInt8] { ObjectFact(.message, fields(number)).payload }

  /// The payload of the fact that tells of a thread.
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

  /// A batch of facts.
  static func batch(
    _ payloads: some Collection<[UInt8]>, of objectClass: ObjectClass = .message
  ) -> Batch {
    var batch = Batch()
    let event = Event(kind: objectClass.kind, recordedAt: now, login: login)
    for payload in payloads { batch.add(event, payload: payload.payloadBytes) }
    return batch
  }

  /// The text of the delta in which a server's JSON tells what the fact of an item does, and no
  /// more: no body, nobody, no file.
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
