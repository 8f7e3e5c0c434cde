import EventStore
import Tideline

/// An object of one account, as the rules see it.
struct NaiveObject: Hashable {
  /// What it is: a draft may become a message.
  var objectClass: ObjectClass
  /// The id of its row, which is the first that it had.
  let id: String
  /// The record that made it, and when.
  let made: RecordNumber
  /// Its date, or the last that it had, or else when it was made (15).
  var effectiveAt: Timestamp
  /// What the server said, or an alert; `nil` where only the person has said something.
  var base: NaiveFields?
  var version: Int64?
  var known: Int64 = 0
  /// The id by which the server knows it.
  var serverID: String?
  /// The last record with a fact or an alert that told of it (12).
  var toldAt = RecordNumber.zero
  /// Whether a fact or an alert told of it, or the person made it (24).
  var isTold = true
  /// Whether it is a draft that the server has sent (36).
  var isSent = false
  /// The fields of which facts say nothing any more (37).
  var owned: Set<ObjectField> = []
  /// Of a rich message: whether it was active when that was last asked, and when (40).
  var isActive = true
  var askedAt: Timestamp?
  /// Of a rich message: when it was first opened (27).
  var openedAt: Timestamp?
  /// Of a message: whether it was received whole (27).
  var isReceived = false
  /// Of a thread: its lists, in the order in which the ids came (17).
  var messageIDs: [String] = []
  var draftIDs: [String] = []
  /// Of a thread: the last record that made a message by which it became unread (20).
  var raised = RecordNumber.zero
  /// Of a file: where its content is.
  var localPath: String?

  init(_ objectClass: ObjectClass, _ id: String, _ record: NaiveRecord) {
    self.objectClass = objectClass
    self.id = id
    made = record.number
    effectiveAt = record.now
    serverID = id.hasPrefix("local-") ? nil : id
  }

  /// The server's id, where it is another than that of the row.
  var laterID: String? { serverID == id ? nil : serverID }

  /// The field with its date (15).
  var dateField: ObjectField { objectClass == .thread ? .lastMessageDate : .date }

  /// Puts something into its base.
  mutating func setBase(_ base: NaiveFields) {
    self.base = base
    if let date = base.time(dateField) { effectiveAt = date }
  }

  /// The name of its row: drafts are among messages (16).
  var name: ObjectName { ObjectName(objectClass == .draft ? .message : objectClass, id) }
}

/// That something was deleted (13).
struct NaiveTombstone: Hashable {
  let number: RecordNumber
  let time: Timestamp
  /// The answer that the deletion came with.
  let exchange: RecordNumber?
  let version: Int64?
  /// Whether the server deleted it, so that this ends some day.
  let isServers: Bool
  /// Whether it was deleted as a draft, so that it says nothing of a message.
  let isOfDraft: Bool
}

/// What the rules ask of a record.
struct NaiveRecord {
  let number: RecordNumber
  let now: Timestamp
  /// The answer that it came with.
  var exchange: RecordNumber?
  var answer: Exchange?
  /// The record that led to it.
  var cause: RecordNumber?

  /// Whether what it says was asked for behind a record.
  func wasAsked(after other: RecordNumber) -> Bool { askedBehind >= other }

  /// The last record that there was when it was asked for: what came without an answer was asked
  /// for at its own, what came with an unknown one at the log's beginning (13).
  var askedBehind: RecordNumber { answer?.sentAfter ?? (exchange == nil ? number : 0) }
}
