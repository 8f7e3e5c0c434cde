package import EventStore

/// The fields of operations, with permanent numbers: each is an intent's open work on one object.
package enum Operations {
  package static let account = Field<Int64>("account", 1)
  static let epoch = Field<Int>("epoch", 2)
  package static let intent = Field<Int>("intent", 3)
  package static let action = Field<Operations.Action>("action", 4)
  package static let objectClass = Field<ObjectClass>("objectClass", 5)
  package static let item = Field<String>("item", 6)
  package static let state = Field<Operations.State>("state", 7)
  package static let attempts = Field<Int>("attempts", 8)
  package static let createdAt = Field<Timestamp>("createdAt", 9)
  package static let heldUntil = Field<Timestamp>("heldUntil", 10)
  package static let deferredUntil = Field<Timestamp>("deferredUntil", 11)
  static let deferral = Field<DeferralReason>("deferral", 12)
  package static let isTrue = Field<Bool>("isTrue", 13)
  package static let added = Field<Set<String>>("added", 14)
  package static let removed = Field<Set<String>>("removed", 15)
  package static let name = Field<String>("name", 16)
  package static let isWaitingForLogin = Field<Bool>("isWaitingForLogin", 17)
  static let acknowledgedAt = Field<Timestamp>("acknowledgedAt", 18)
  static let acknowledgement = Field<Int>("acknowledgement", 19)
  static let acknowledgedVersion = Field<Int>("acknowledgedVersion", 20)
  package static let wasBegun = Field<Bool>("wasBegun", 24)
  static let rejection = Field<RejectionReason>("rejection", 25)
  /// The operation's index within its intent, from 0; 0 is not stored.
  package static let ordinal = Field<Int>("ordinal", 26)
  /// A number shared with the operations last sent in the same request, if there were any.
  package static let request = Field<Int>("request", 27)
  /// Whether the server refused a file of the draft to send.
  package static let lacksFile = Field<Bool>("lacksFile", 28)
  /// The status of the last answer, if the operation was put off or refused since it last began.
  static let status = Field<Int>("status", 29)
  /// What that answer said.
  static let answer = Field<String>("answer", 30)
  /// The time of the record that last held it, or deferred it for some time.
  static let waitsSince = Field<Timestamp>("waitsSince", 31)
  /// The object.
  package static let object = Field<RowLink>("object", 21)
  /// The next operation on the object.
  package static let next = Field<RowID>("next", 22)
  /// The contents that the draft is saved with.
  static let saving = Field<RowID>("saving", 23)

  /// The collection.
  package static let collection = RowCollection(
    "operations", number: 8,
    fields: [
      account.declaration, epoch.declaration, intent.declaration, action.declaration,
      objectClass.declaration, item.declaration, state.declaration, attempts.declaration,
      createdAt.declaration, heldUntil.declaration, deferredUntil.declaration,
      deferral.declaration, isTrue.declaration, added.declaration, removed.declaration,
      name.declaration, isWaitingForLogin.declaration, acknowledgedAt.declaration,
      acknowledgement.declaration, acknowledgedVersion.declaration, object.declaration,
      next.declaration, saving.declaration, wasBegun.declaration,
      rejection.declaration, ordinal.declaration, request.declaration, lacksFile.declaration,
      status.declaration, answer.declaration, waitsSince.declaration,
    ])

  /// The most bytes kept of an answer.
  static let answerMax = 1024

  /// Returns the id of the row of an intent's operation on an object.
  package static func id(of intent: RecordNumber, on item: String, account: UInt32) -> String {
    String(joining: intent.rawValue, account, item)
  }

  /// What the row id of an operation names, besides the object.
  struct Name {
    let intent: Int
    let account: UInt32

    /// Parses an id; returns `nil` if no operation is opened with it.
    init?(_ id: String) {
      let parts = id.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let intent = Int(parts[0]), let account = UInt32(parts[1]) else {
        return nil
      }
      (self.intent, self.account) = (intent, account)
    }
  }

  /// The kinds of operation.
  package enum Action: Int, FieldValue {
    /// Marks as read or unread.
    case markRead = 1
    /// Changes tags.
    case changeTags
    /// Deletes.
    case delete
    /// Saves a draft.
    case saveDraft
    /// Sends a draft.
    case sendDraft
    /// Deletes a draft.
    case deleteDraft
    /// Creates or renames a tag.
    case saveTag
    /// Uploads a file.
    case addFile
    /// Reports that a message was opened.
    case reportOpened
    /// Reports that a message was received.
    case reportDownloaded
    /// Attaches a file to a draft.
    case attach
  }

  /// The state of an operation.
  package enum State: Int, FieldValue {
    /// Not started, or to be retried.
    case waiting = 1
    /// Started.
    case started
    /// To be retried later.
    case deferred
    /// Its result is unknown.
    case uncertain
    /// The server rejected a draft, whose text is kept.
    case rejected
    /// The server accepted it but does not show the result yet.
    case acknowledged
  }
}

extension RecordNumber {
  /// Creates the number in a field of a row, which may be negative if a damaged record set it.
  package init(kept number: Int) { self.init(rawValue: UInt64(clamping: number)) }
}
