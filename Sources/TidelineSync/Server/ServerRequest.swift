import EventStore
public import Foundation
public import Tideline

/// What a server is to do: one thing, or the same with several objects.
public struct ServerRequest: Sendable {
  /// By what the server knows the request if it gets it twice.
  package var key = OperationKey()
  /// What is wanted of each object.
  public var parts: [Part]
  /// Who is told how much of a file was sent.
  package var onProgress: (@Sendable (_ sent: Int64, _ total: Int64) -> Void)?

  /// What is wanted of an object.
  public struct Part: Sendable {
    /// What it is.
    public var objectClass: ObjectClass
    /// The server's id of it; a temporary one where the server has given none.
    public var id: String
    /// What is wanted of it.
    public var wanted: Wanted
    /// The version that the server has, as far as is known.
    public var version: Int64?
    /// The text of a draft.
    public var text: String?
    /// When the person wanted it, by the device's clock; what waited for a line may be told much
    /// later.
    public var wantedAt: Date?
    /// Which sending of a rich message it is about, where that is known.
    public var requestID: String?
    /// Whether it was begun before, and no answer has said what became of it.
    ///
    /// The server may have got it, and done it. Where it does not heed keys, and it must not be
    /// done twice, look for it first.
    public var wasTriedBefore = false

    /// What is wanted of an object.
    public init(
      _ objectClass: ObjectClass, _ id: String, _ wanted: Wanted, version: Int64? = nil
    ) {
      self.objectClass = objectClass
      self.id = id
      self.wanted = wanted
      self.version = version
    }
  }

  /// What can be wanted of an object.
  public enum Wanted: Hashable, Sendable {
    /// That it is read, or unread. A thread that is to be read is so with the messages that it has,
    /// of which there is no request of their own.
    case read(Bool)
    /// That it is under some tags, and not under others.
    case tags(added: Set<String>, removed: Set<String>)
    /// That it is gone.
    case deletion
    /// That a draft is as it says, made where the server has none.
    case draft(Draft, isNew: Bool)
    /// That a draft is sent, under an id to look for, as the header `Message-ID` has it.
    case sending(messageID: String?)
    /// That a tag has a name, made where the server has none.
    case tag(name: String, isNew: Bool)
    /// That a file is there, whose content is at a path.
    case file(Attachment, path: String?)
    /// That it was opened.
    case opening
    /// That it was received.
    case receipt
  }

  /// A request without a key, such as for the test of a server; one of a `Sync` has one.
  public init(_ parts: [Part]) { self.parts = parts }

  /// Tells how many bytes of a file were sent, and how many it has: what
  /// ``SyncStatus/uploads`` says then.
  ///
  /// Whoever uploads calls it as often as there is more to be told. Behind the answer it does
  /// nothing.
  public func report(sent: Int64, of total: Int64) { onProgress?(sent, total) }

  /// By what the server knows the request if it gets it twice: 32 hexadecimal digits, the same in
  /// each attempt.
  public var idempotencyKey: String { key.line }
}

extension ServerRequest.Wanted {
  /// Whether it does no harm to ask for it twice: where it does, that the server failed leaves open
  /// whether it was done, and the reason is ``ServerFailure/Reason/lostAnswer``.
  public var isRepeatable: Bool {
    switch self {
    case .read, .tags, .deletion, .opening, .receipt: true
    case .draft(_, let isNew): !isNew
    case .tag(_, let isNew): !isNew
    case .sending, .file: false
    }
  }

  /// Whether it goes to people, who get it twice where it is asked for twice.
  package var isSending: Bool { if case .sending = self { true } else { false } }
}

/// What became of the parts of a request.
public struct Settlement: Sendable {
  /// What became of each part, in their order; parts behind the last are not mentioned.
  public var outcomes: [PartOutcome] = []
  /// What the server tells of objects by the way.
  package var facts: [ObjectFact] = []
  /// Objects that it tells of and that could not be read.
  package var refused: [ItemRefused] = []
  /// The status of the answer.
  public var status: Int64?

  /// What became of parts.
  public init(_ outcomes: [PartOutcome], status: Int64? = nil) {
    (self.outcomes, self.status) = (outcomes, status)
  }

  package init(_ outcomes: [PartOutcome], facts: [ObjectFact], status: Int64? = nil) {
    self.outcomes = outcomes
    self.facts = facts
    self.status = status
  }

  /// Tells what a delivery tells of objects, as they are behind what was done.
  ///
  /// This is taken in before the outcomes: where it says what was wanted, and nothing else is open
  /// on the object, the wish is over at once. Of what was sent before it is left out, as such an
  /// answer may be the one that was lost; the object is asked for then.
  public mutating func tell(_ delivery: Delivery) {
    facts += delivery.facts
    refused += delivery.refused
  }
}

/// What became of a part of a request.
public enum PartOutcome: Hashable, Sendable {
  /// It is done: the object has a version since, and perhaps an id that the server gave it.
  ///
  /// What makes a draft, a tag or a file says under which id it is; one that is empty counts for
  /// none, and with one of more than `Delivery.idBytesMax` bytes it counts as refused. Without a
  /// version, and where the settlement does not tell of the object, the wish stays open, and
  /// `IntentReceipt.confirmed()` waits, until another answer tells of it, or for the policy's
  /// `settleInterval`.
  case done(version: Int64? = nil, newID: String? = nil)
  /// There was nothing to do, as the object is no more.
  case gone
  /// It was not done.
  case failed(ServerFailure)
  /// The answer does not mention it.
  case unmentioned
}
