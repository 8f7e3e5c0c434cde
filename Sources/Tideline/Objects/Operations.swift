package import EventStore

/// The fields of operations, numbered for ever: what is open of each intent on each object.
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
  /// Which of its intent it is, counted from 0, which is not written.
  package static let ordinal = Field<Int>("ordinal", 26)
  /// What it has in common with those that were last sent in the same request, if there were any.
  package static let request = Field<Int>("request", 27)
  /// The object.
  package static let object = Field<RowLink>("object", 21)
  /// The next operation on the object.
  static let next = Field<RowID>("next", 22)
  /// What a draft is saved as.
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
      rejection.declaration, ordinal.declaration, request.declaration,
    ])

  /// The id of the row of an intent's operation on a thing.
  static func id(of intent: RecordNumber, on item: String, account: UInt32) -> String {
    String(intent.rawValue) + "/" + String(account) + "/" + item
  }

  /// What an operation does.
  package enum Action: Int, FieldValue {
    /// Marks as read, or as unread.
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
    /// Makes or names a tag.
    case saveTag
    /// Uploads a file.
    case addFile
    /// Tells that a message was opened.
    case reportOpened
    /// Tells that a message was received.
    case reportDownloaded
    /// Has a draft have a file.
    case attach
  }

  /// How far an operation has come.
  package enum State: Int, FieldValue {
    /// It was not begun, or is to be tried again.
    case waiting = 1
    /// It was begun.
    case started
    /// It is to be tried again later.
    case deferred
    /// It is not known what became of it.
    case uncertain
    /// The server doesn't take a draft, whose text is kept.
    case rejected
    /// The server has done it, and doesn't show it yet.
    case acknowledged
  }
}
