public import EventStore
public import Foundation

/// A message that is being written.
public struct Draft: Model {
  /// The id assigned by the server, or a temporary one.
  public let id: String
  /// The number of the account that the object belongs to.
  public let account: UInt32
  /// The fields reported by some source; see ``Model/known``.
  public var known: Int64 = -1
  /// The server's version of the object, if the server counts versions.
  public var version: Int?
  /// When the server created the object.
  public var createdAt: Date?
  /// When the server last changed the object.
  public var updatedAt: Date?
  /// Data from the server that no other property holds, as JSON.
  public var unknownFields: TextReference?
  /// The id that the server assigned later, if it differs from `id`; either one finds the object.
  public var serverID: String?
  /// The date, or when the draft was first seen if it has none.
  public var effectiveDate: Date = Date(timeIntervalSince1970: 0)
  /// The id of the thread.
  public var threadID: String?
  /// The subject.
  public var subject: String?
  /// The beginning of the text, at most 200 characters.
  public var snippet: String?
  /// The text, as HTML.
  public var body: TextReference?
  /// When the draft was last saved, as reported by the server.
  public var date: Date?
  /// The senders.
  public var from: [Participant] = []
  /// The primary recipients.
  public var to: [Participant] = []
  /// The recipients of a copy.
  public var cc: [Participant] = []
  /// The recipients of a copy that other recipients don't see.
  public var bcc: [Participant] = []
  /// The recipients of replies.
  public var replyTo: [Participant] = []
  /// The ids of its own tags, which also represent labels and folders.
  public var tagIDs: Set<String> = []
  /// The ids of the attached files.
  ///
  /// If a value changes them, saving it replaces the draft's files with exactly these. Otherwise
  /// saving keeps the files that the draft has by then.
  public var fileIDs: Set<String> = [] {
    didSet { if fileIDs != oldValue { filesAreSaid.note = true } }
  }
  /// Whether it is unread.
  public var isUnread: Bool = false
  /// Whether it is starred.
  public var isStarred: Bool = false
  /// The progress of sending.
  public var state: State = .unsent
  /// The id of the message that the draft replies to.
  public var replyToMessageID: String?
  /// Whether saving states the files: they were set or changed, not only read.
  var filesAreSaid = Aside(false)

  /// Creates a complete draft without values.
  ///
  /// For a partial one, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
    // A new draft has no files yet; a value for an existing draft states all of its files.
    filesAreSaid.note = !hasTemporaryID
  }
}

// Computed properties.
extension Draft {
  /// The subject, folded for ordering drafts.
  public var foldedSubject: FoldedText { FoldedText(subject ?? "") }
  /// The addresses of all people that it names, in lowercase.
  public var addresses: Set<String> { Set([from, to, cc, bcc, replyTo].joined().map(\.address)) }
}

extension Draft {
  /// The progress of sending a draft.
  public enum State: Int, FieldValue, Codable, CaseIterable {
    /// Sending was not requested.
    case unsent
    /// Sending was requested.
    case sending
    /// Sending failed; the text is kept.
    case failed
    /// The server accepted it.
    case sent
  }
}

extension Draft.State {
  /// The server's word for the state, or `nil` if servers have none.
  package var word: String? {
    switch self {
    case .unsent: nil
    case .sending: "sending"
    case .failed: "sending_failed"
    case .sent: "sent"
    }
  }

  /// Creates the state that a server's word names, or `nil` if there is none.
  package init?(told word: String) {
    guard let state = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = state
  }
}

extension Draft.State: PropertyValue {
  /// Returns bounds for drafts in this state.
  package static func bounds(
    _ field: Field<Draft.State>, _ relation: Relation, _ value: Draft.State
  ) -> Bounds? { equals(field, relation, value) }
}
