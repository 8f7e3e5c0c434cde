import EventStore
import Tideline

/// An object of one account, as the rules see it.
struct NaiveObject: Hashable {
  /// The object's class: a draft may become a message.
  var objectClass: ObjectClass
  /// The id of the object's row, which is its first id.
  let id: String
  /// The record that made the object, and its time.
  let made: RecordNumber
  /// The object's date, or its last one, or else the time when it was made (15).
  var effectiveAt: Timestamp
  /// The server's or an alert's values; `nil` if only the person has said something.
  var base: NaiveFields?
  var version: Int64?
  var known: Int64 = 0
  /// The server's id of the object.
  var serverID: String?
  /// The last record with a fact or an alert about the object (12).
  var toldAt = RecordNumber.zero
  /// Whether a fact or an alert mentioned the object, or the person made it (24).
  var isTold = true
  /// Whether the object is a draft that the server has sent (36).
  var isSent = false
  /// The fields that facts no longer change (37).
  var owned: Set<ObjectField> = []
  /// For a rich message: whether it was active at the last check, and the check's time (40).
  var isActive = true
  var askedAt: Timestamp?
  /// For a rich message: when it was first opened (27).
  var openedAt: Timestamp?
  /// For a message: whether it was received whole (27).
  var isReceived = false
  /// For a thread: its lists, in the order in which the ids came (17).
  var messageIDs: [String] = []
  var draftIDs: [String] = []
  /// For a thread: the last record that made a message by which the thread became unread (20).
  var raised = RecordNumber.zero
  /// For a file: the location of its content.
  var localPath: String?

  init(_ objectClass: ObjectClass, _ id: String, _ record: NaiveRecord) {
    self.objectClass = objectClass
    self.id = id
    made = record.number
    effectiveAt = record.now
    serverID = id.hasPrefix("local-") ? nil : id
  }

  /// The server's id, if it differs from the row's.
  var laterID: String? { serverID == id ? nil : serverID }

  /// The field with the object's date (15).
  var dateField: ObjectField { objectClass == .thread ? .lastMessageDate : .date }

  /// Sets the object's base.
  mutating func setBase(_ base: NaiveFields) {
    self.base = base
    if let date = base.time(dateField) { effectiveAt = date }
  }

  /// The name of the object's row: drafts are among messages (16).
  var name: ObjectName { ObjectName(objectClass == .draft ? .message : objectClass, id) }
}

/// The mark of a deletion (13).
struct NaiveTombstone: Hashable {
  let number: RecordNumber
  let time: Timestamp
  /// The answer that the deletion came with.
  let exchange: RecordNumber?
  let version: Int64?
  /// Whether the server deleted the object, so that the tombstone expires.
  let isServers: Bool
  /// Whether a draft was deleted, so that the tombstone says nothing about a message.
  let isOfDraft: Bool
}

/// A record as the rules see it.
struct NaiveRecord {
  let number: RecordNumber
  let now: Timestamp
  /// The answer that the record came with.
  var exchange: RecordNumber?
  var answer: Exchange?
  /// The record that led to this one.
  var cause: RecordNumber?

  /// Returns whether the content was asked for after a record.
  func wasAsked(after other: RecordNumber) -> Bool { askedBehind >= other }

  /// The last record when this one's content was asked for: its own number if it came without an
  /// answer, and the log's beginning if the answer is unknown (13).
  var askedBehind: RecordNumber { answer?.sentAfter ?? (exchange == nil ? number : 0) }
}
