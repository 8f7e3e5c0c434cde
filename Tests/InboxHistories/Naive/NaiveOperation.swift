import EventStore
import Tideline

/// An intent's wish for one object, until it is settled or ended.
struct NaiveOperation: Hashable {
  /// The operation's progress (32).
  enum State: String, Hashable {
    case waiting, started, deferred, uncertain, rejected, acknowledged
  }

  /// The acknowledgement's record and time.
  struct Acknowledgement: Hashable {
    let number: RecordNumber
    let time: Timestamp
    /// The version of the base at that time.
    let baseVersion: Int64?
  }

  let intent: RecordNumber
  /// The row of the operation's object.
  var name: ObjectName
  /// The id of the row when the operation was opened.
  let item: String
  /// The class that the intent names.
  let objectClass: ObjectClass
  var wish: NaiveWish
  var state = State.waiting { didSet { answer = "" } }
  /// The status and the text of the answer that led to the state (32).
  var answer = ""
  var attempts = 0
  var wasBegun = false
  /// Whether a file of the draft to send was rejected (33).
  var lacksFile = false
  var heldUntil: Timestamp?
  /// The time of the record that last held it, or deferred it for some time (40).
  var waitsSince: Timestamp?
  var deferral: DeferralReason?
  var acknowledgement: Acknowledgement?
  /// The time until which it may be sent despite a logout (3).
  var flushUntil: Timestamp?
  /// The time of that logout (40).
  var flushSince: Timestamp?

  /// Whether it is held, so that the person can take it back (30).
  func mayBeWithdrawn(at now: Timestamp) -> Bool {
    !wasBegun && heldUntil.map { now < $0 } ?? false
  }

  init(_ intent: RecordNumber, _ name: ObjectName, _ objectClass: ObjectClass, _ wish: NaiveWish) {
    self.intent = intent
    self.name = name
    item = name.id
    self.objectClass = objectClass
    self.wish = wish
  }
}

/// The effect of an operation on an object.
enum NaiveWish: Hashable {
  /// To be read, or to be unread (22, 25).
  case read(Bool)
  /// To lose some tags, and get others (26).
  case tags(removed: [String], added: [String])
  /// To be deleted (28, 30).
  case delete
  /// To be as it was saved (30).
  case save(NaiveNews)
  /// To be sent (30).
  case send
  /// To have a file (30).
  case attach(String)
  /// To be reported to the server (27).
  case report
}

extension NaiveWish {
  var isSaving: Bool { if case .save = self { true } else { false } }
  var isAttachment: Bool { if case .attach = self { true } else { false } }

  /// Whether it saves a draft with any of some files that have an id of this device.
  func names(anyOf files: [String]) -> Bool {
    guard case .save(let news) = self, case .ids(let ids)?? = news.said[.fileIDs] else {
      return false
    }
    return ids.contains { files.contains($0) && TemporaryID.begins($0) }
  }

  /// Removes a file from what a draft is saved with.
  mutating func leave(_ file: String) {
    guard case .save(var news) = self, case .ids(let ids)?? = news.said[.fileIDs] else { return }
    news.said[.fileIDs] = .ids(ids.filter { $0 != file })
    self = .save(news)
  }

  /// Applies the wish to the values of an object of a class.
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

  /// Returns, for each field that the wish is about, whether news say what it wants; `nil` if they
  /// say nothing.
  ///
  /// - Parameters:
  ///   - objectClass: The class of the object.
  ///   - base: The base's values after the news.
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

  /// Returns whether the values of an object of a class are as the wish wants them.
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
