import BenchmarkPeers
import EventStore
import Tideline

/// A mailbox as servers tell of it: a fact for each message.
struct InboxMail {
  let mailbox: Mailbox

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

  /// The tags of an item: one to four of fifty.
  private func tags(of item: MailItem) -> [ObjectLabel] {
    let count = 1 + item.number % 4
    return (0..<count).map { ObjectLabel("tag-\((Int(item.tags.0) + $0 * 13) % 50)") }
  }

  /// The payload of the fact that tells of an item.
  func payload(_ number: Int) -> [UInt8] {
    let item = mailbox[number]
    let fields = ObjectFields { fields in
      fields.put(.id, Self.text(item.id))
      fields.put(.change, ObjectChange.created)
      fields.put(.subject, String(Self.subject.prefix(36)) + " \(number % 1000)")
      fields.put(.snippet, Self.snippet)
      fields.put(.thread, Self.text(item.groupID))
      fields.put(.date, Timestamp(rawValue: item.date))
      fields.put(.isUnread, item.isUnread)
      fields.put(.tags, tags(of: item))
    }
    return ObjectFact(.message, fields).payload
  }

  /// A batch of facts.
  static func batch(_ payloads: ArraySlice<[UInt8]>) -> Batch {
    var batch = Batch()
    let event = Event(kind: ObjectClass.message.kind, recordedAt: now, login: login)
    for payload in payloads { batch.add(event, payload: payload.payloadBytes) }
    return batch
  }
}
