import EventStore
public import Foundation
public import Tideline

/// A request to a server: one action, or the same on several objects.
public struct ServerRequest: Sendable {
  /// The key by which the server recognizes a repeated request.
  package var key = OperationKey()
  /// The action on each object.
  public var parts: [Part]
  /// Called with the upload progress of a file.
  package var onProgress: (@Sendable (_ sent: Int64, _ total: Int64) -> Void)?

  /// An action on one object.
  public struct Part: Sendable {
    /// The class of the object.
    public var objectClass: ObjectClass
    /// The server's id of the object, or a temporary one if the server has assigned none.
    public var id: String
    /// The requested action.
    public var wanted: Wanted
    /// The server's version of the object, as far as is known.
    public var version: Int64?
    /// The text of a draft.
    public var text: String?
    /// When the person asked for it, by the device's clock; after time offline, the request may
    /// come much later.
    public var wantedAt: Date?
    /// The id of the sending of a rich message, if known.
    public var requestID: String?
    /// Whether the part was started before without an answer about its outcome.
    ///
    /// The server may have received and performed it. If it ignores keys and the part must not be
    /// performed twice, look for the result first.
    public var wasTriedBefore = false

    /// Creates an action on an object.
    public init(
      _ objectClass: ObjectClass, _ id: String, _ wanted: Wanted, version: Int64? = nil
    ) {
      self.objectClass = objectClass
      self.id = id
      self.wanted = wanted
      self.version = version
    }
  }

  /// The actions that can be requested on an object.
  public enum Wanted: Hashable, Sendable {
    /// Marks as read or unread.
    ///
    /// Marking a thread as read includes its current messages, for which no separate requests are
    /// sent.
    case read(Bool)
    /// Adds some tags and removes others.
    case tags(added: Set<String>, removed: Set<String>)
    /// Deletes the object.
    case deletion
    /// Saves a draft, creating it if the server has none.
    indirect case draft(Draft, isNew: Bool)
    /// Sends a draft with a searchable id for the header `Message-ID`.
    case sending(messageID: String?)
    /// Names a tag, creating it if the server has none.
    case tag(name: String, isNew: Bool)
    /// Uploads a file with the content at a path.
    indirect case file(Attachment, path: String?)
    /// Reports an opening.
    case opening
    /// Reports a receipt.
    case receipt
  }

  /// Creates a request without a key, such as for testing a server; a `Sync` adds one.
  public init(_ parts: [Part]) { self.parts = parts }

  /// Reports the bytes sent of a file and their total, as shown by ``SyncStatus/uploads``.
  ///
  /// Call it during an upload whenever there is progress. It has no effect after the answer.
  public func report(sent: Int64, of total: Int64) { onProgress?(sent, total) }

  /// The key by which the server recognizes a repeated request: 32 hexadecimal digits, the same in
  /// each attempt.
  public var idempotencyKey: String { key.line }
}

extension ServerRequest.Wanted {
  /// Whether the action may be repeated without harm.
  ///
  /// If not, a server failure leaves open whether it was done, with the reason
  /// ``ServerFailure/Reason/lostAnswer``.
  public var isRepeatable: Bool {
    switch self {
    case .read, .tags, .deletion, .opening, .receipt: true
    case .draft(_, let isNew): !isNew
    case .tag(_, let isNew): !isNew
    case .sending, .file: false
    }
  }

  /// Whether it sends something to people, who would receive a repetition twice.
  package var isSending: Bool { if case .sending = self { true } else { false } }
}

/// The outcomes of the parts of a request.
public struct Settlement: Sendable {
  /// The outcome of each part, in order; parts beyond the last count as not mentioned.
  public var outcomes: [PartOutcome] = []
  /// Objects that the server reported along with the outcomes.
  package var facts: [ObjectFact] = []
  /// Reported objects that could not be read.
  package var refused: [ItemRefused] = []
  /// The status code of the answer.
  public var status: Int64?

  /// Creates a settlement.
  public init(_ outcomes: [PartOutcome], status: Int64? = nil) {
    (self.outcomes, self.status) = (outcomes, status)
  }

  package init(_ outcomes: [PartOutcome], facts: [ObjectFact], status: Int64? = nil) {
    self.outcomes = outcomes
    self.facts = facts
    self.status = status
  }

  /// Adds the objects of a delivery, as they are after the request.
  ///
  /// They are recorded before the outcomes. If an object is as wanted and no other operation is
  /// open on it, the operation is settled at once. For a request that was sent before, they are
  /// ignored, since the answer may be the one that was lost; the object is then queried.
  public mutating func tell(_ delivery: Delivery) {
    facts += delivery.facts
    refused += delivery.refused
  }
}

/// The outcome of a part of a request.
public enum PartOutcome: Hashable, Sendable {
  /// It is done; the object may have a new version and a new id.
  ///
  /// For a new draft, tag or file, give its id. An empty id counts as none, and one over
  /// `Delivery.idBytesMax` bytes as a refusal. Without a version, and if the settlement does not
  /// report the object, the operation stays open and `IntentReceipt.confirmed()` waits until
  /// another answer reports the object, or for the policy's `settleInterval`.
  case done(version: Int64? = nil, newID: String? = nil)
  /// There was nothing to do: the object no longer exists.
  case gone
  /// It was not done.
  case failed(ServerFailure)
  /// The answer does not mention it.
  case unmentioned
}
