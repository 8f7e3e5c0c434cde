import EventStore
import Tideline

/// What an intent wants of one object, until it is settled or ended.
struct NaiveOperation: Hashable {
  /// How far it has come (32).
  enum State: String, Hashable {
    case waiting, started, deferred, uncertain, rejected, acknowledged
  }

  /// What had been acknowledged, and when.
  struct Acknowledgement: Hashable {
    let number: RecordNumber
    let time: Timestamp
    /// The version that the base had then.
    let baseVersion: Int64?
  }

  let intent: RecordNumber
  /// The row that it is about.
  var name: ObjectName
  /// The id of the row when it was opened.
  let item: String
  /// What the intent says that it is about.
  let objectClass: ObjectClass
  var wish: NaiveWish
  var state = State.waiting
  var attempts = 0
  var wasBegun = false
  /// Whether a file of the draft to send was rejected (33).
  var lacksFile = false
  var heldUntil: Timestamp?
  var deferral: DeferralReason?
  var acknowledgement: Acknowledgement?
  /// Until when it may be sent though the person logged out (3).
  var flushUntil: Timestamp?

  init(_ intent: RecordNumber, _ name: ObjectName, _ objectClass: ObjectClass, _ wish: NaiveWish) {
    self.intent = intent
    self.name = name
    item = name.id
    self.objectClass = objectClass
    self.wish = wish
  }
}

/// What an operation does to an object.
enum NaiveWish: Hashable {
  /// To be read, or to be unread (22, 25).
  case read(Bool)
  /// To be without some tags, and under others (26).
  case tags(removed: [String], added: [String])
  /// To be gone (28, 30).
  case delete
  /// To be as it was saved (30).
  case save(NaiveNews)
  /// To be sent (30).
  case send
  /// To have a file (30).
  case attach(String)
  /// To be told to the server (27).
  case report
}

extension NaiveWish {
  var isSaving: Bool { if case .save = self { true } else { false } }
  var isAttachment: Bool { if case .attach = self { true } else { false } }

  /// Does to the values of an object of a class what is wanted.
  func apply(to fields: inout NaiveFields, _ objectClass: ObjectClass) {
    switch (self, objectClass) {
    case (.read(let isRead), .rich): fields[.isRead] = .boolean(isRead)
    case (.read(let isRead), .message): fields[.isUnread] = .boolean(!isRead)
    case (.read(true), .thread):
      fields.changeTags(.thread, removing: ["unread", "unseen"], adding: [])
    case (.read(false), .thread): fields.changeTags(.thread, removing: [], adding: ["unread"])
    case (.tags(let removed, let added), _):
      fields.changeTags(objectClass, removing: removed, adding: added)
    case (.delete, .rich): fields[.isDeleted] = .boolean(true)
    case (.save(let news), _): news.put(into: &fields, objectClass)
    case (.send, _): fields[.state] = .text("sending")
    case (.attach(let file), _):
      let files = fields.ids(.fileIDs)
      fields[.fileIDs] = .ids(files.filter { $0 != file } + [file])
    case (.read, _), (.delete, _), (.report, _): break
    }
  }

  /// Of each field that it is about, whether news say what it wants; `nil` where they say nothing.
  ///
  /// - Parameters:
  ///   - objectClass: The class of the object.
  ///   - base: What the base has after the news.
  func answers(
    in news: NaiveNews, _ objectClass: ObjectClass, _ base: NaiveFields
  ) -> [Bool?] {
    switch (self, objectClass) {
    case (.read(let isRead), .rich): [news.tells(.isRead).map { $0 == isRead }]
    case (.read(let isRead), .message): [news.tells(.isUnread).map { $0 != isRead }]
    case (.read(true), .thread):
      ["unread", "unseen"].map { news.tells(tag: $0, .thread, base).map { !$0 } }
    case (.read(false), .thread): [news.tells(tag: "unread", .thread, base)]
    case (.tags(let removed, let added), _):
      removed.map { news.tells(tag: $0, objectClass, base).map { !$0 } }
        + added.map { news.tells(tag: $0, objectClass, base) }
    case (.delete, .rich): [news.tells(.isDeleted)]
    default: []
    }
  }

  /// Whether the values of an object of a class are as it wants them.
  func isMet(by fields: NaiveFields, _ objectClass: ObjectClass) -> Bool {
    switch (self, objectClass) {
    case (.read(let isRead), .rich): return fields.flag(.isRead) == isRead
    case (.read(let isRead), .message): return fields.flag(.isUnread) != isRead
    case (.delete, .rich): return fields.flag(.isDeleted)
    case (.read, .thread), (.tags, _):
      var changed = fields
      apply(to: &changed, objectClass)
      return Set(changed.ids(.tags)) == Set(fields.ids(.tags))
        && changed.flag(.isStarred) == fields.flag(.isStarred)
    default: return false
    }
  }
}
