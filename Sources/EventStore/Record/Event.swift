/// What a record is about, as a number that the application gives a meaning.
public struct EventKind: RawRepresentable, Hashable, Sendable, Codable {
  /// The number.
  public let rawValue: UInt16

  /// The kind of that number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// Which login something happened under: an account, and which of its logins.
public struct Login: Hashable, Sendable, Codable {
  /// The account's number within the store.
  public var account: UInt32
  /// Which login of the account it is, counted from 1.
  public var epoch: UInt32

  /// A login of an account.
  public init(account: UInt32, epoch: UInt32) {
    self.account = account
    self.epoch = epoch
  }
}

/// What happened, before the log has given it a number: a record's header as its author fills it
/// in.
public struct Event: Hashable, Sendable {
  /// Where an event came from.
  public enum Origin: Hashable, Sendable {
    /// The server, a push or the clock said so.
    case fact
    /// The person or the application wants it so.
    case intent
  }

  /// Another record that an event names.
  public enum Reference: Hashable, Sendable {
    /// A record of the log.
    case record(RecordNumber)
    /// A record of the same batch, by its index there, which the batch is to have when it is
    /// appended: otherwise whatever record comes to have the number is named.
    ///
    /// A negative index traps where the event is added. So does any reference of this kind where
    /// the event is written into a spool or a baseline, which are no batches.
    case sameBatch(Int)
  }

  /// What it is about.
  public var kind: EventKind
  /// The version of the kind's payload.
  public var version: UInt8
  /// Where it came from.
  public var origin: Origin
  /// When it was recorded.
  public var recordedAt: Timestamp
  /// The login it happened under.
  public var login: Login?
  /// The record that led to it.
  public var cause: Reference?
  /// The exchange with a server that carried it.
  public var exchange: Reference?
  /// The thing that it is about, as ``Log/fingerprint(of:)`` names it.
  public var entity: Fingerprint?

  /// An event with as much of a header as it needs; what is left out takes no room.
  public init(
    kind: EventKind, version: UInt8 = 1, origin: Origin = .fact, recordedAt: Timestamp,
    login: Login? = nil, cause: Reference? = nil, exchange: Reference? = nil,
    entity: Fingerprint? = nil
  ) {
    self.kind = kind
    self.version = version
    self.origin = origin
    self.recordedAt = recordedAt
    self.login = login
    self.cause = cause
    self.exchange = exchange
    self.entity = entity
  }
}

/// The name of a thing in a record's header: a keyed hash that is of no use outside its store.
public struct Fingerprint: RawRepresentable, Hashable, Sendable {
  /// The hash.
  public let rawValue: UInt64

  /// The fingerprint of that hash.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
