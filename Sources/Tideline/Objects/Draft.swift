public import EventStore
public import Foundation

/// A message that is being written.
public struct Draft: Model {
  /// The id that the server gave, or a temporary one.
  public let id: String
  /// The number of the account that it belongs to.
  public let account: UInt32
  /// The fields that some source has told of; see ``Model/known``.
  public var known: Int64 = -1
  /// The server's version of the object, where it counts them.
  public var version: Int?
  /// When the server made the object.
  public var createdAt: Date?
  /// When the server last changed the object.
  public var updatedAt: Date?
  /// What the server said beyond the other properties, as JSON.
  public var unknownFields: TextReference?
  /// The id that the server has given it since, if that is another than `id`; both find it.
  public var serverID: String?
  /// The date, or else when the draft was first seen.
  public var effectiveDate: Date = Date(timeIntervalSince1970: 0)
  /// The id of the thread.
  public var threadID: String?
  /// The subject.
  public var subject: String?
  /// The beginning of the text, of at most 200 characters.
  public var snippet: String?
  /// The text, as HTML.
  public var body: TextReference?
  /// When it was last saved, as the server says.
  public var date: Date?
  /// Who sends it.
  public var from: [Participant] = []
  /// Whom it is for.
  public var to: [Participant] = []
  /// Who gets a copy.
  public var cc: [Participant] = []
  /// Who gets a copy that the others do not see.
  public var bcc: [Participant] = []
  /// Who shall get answers.
  public var replyTo: [Participant] = []
  /// The ids of its own tags, which stand for labels and folders as well.
  public var tagIDs: Set<String> = []
  /// The ids of the files attached.
  ///
  /// Where they were changed in a value, saving that has the draft have these and no others; else
  /// it leaves them as they are by then.
  public var fileIDs: Set<String> = [] {
    didSet { if fileIDs != oldValue { filesAreSaid.note = true } }
  }
  /// Whether it was not read yet.
  public var isUnread: Bool = false
  /// Whether it has a star.
  public var isStarred: Bool = false
  /// How far sending has come.
  public var state: State = .unsent
  /// The id of the message that it answers.
  public var replyToMessageID: String?
  /// Whether saving it says its files: they were changed, or made, and not only read.
  var filesAreSaid = Aside(false)

  /// A draft without values, all of it: of a part, use ``Model/init(partOf:account:knowing:)``.
  public init(id: String, account: UInt32) {
    self.id = id
    self.account = account
    // What is new has none yet; of one that is there it says all.
    filesAreSaid.note = !hasTemporaryID
  }
}

// What is computed of the rest.
extension Draft {
  /// The subject as drafts are ordered by.
  public var foldedSubject: FoldedText { FoldedText(subject ?? "") }
  /// The addresses of everybody whom it names, in small letters.
  public var addresses: Set<String> { Set([from, to, cc, bcc, replyTo].joined().map(\.address)) }
}

extension Draft {
  /// How far sending a draft has come.
  public enum State: Int, FieldValue, Codable, CaseIterable {
    /// Nobody asked for it yet.
    case unsent
    /// It was asked for.
    case sending
    /// It failed; the text is kept.
    case failed
    /// The server has taken it.
    case sent
  }
}

extension Draft.State {
  /// The word in which a server tells of the state; none where it tells nothing of it.
  package var word: String? {
    switch self {
    case .unsent: nil
    case .sending: "sending"
    case .failed: "sending_failed"
    case .sent: "sent"
    }
  }

  /// The state that a server tells of in a word.
  package init?(told word: String) {
    guard let state = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = state
  }
}

extension Draft.State: PropertyValue {
  /// Drafts in this state.
  package static func bounds(
    _ field: Field<Draft.State>, _ relation: Relation, _ value: Draft.State
  ) -> Bounds? { equals(field, relation, value) }
}
