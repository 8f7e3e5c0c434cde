/// The kind of a record: a number whose meaning the application defines.
public struct EventKind: RawRepresentable, Hashable, Sendable, Codable {
  /// The number.
  public let rawValue: UInt16

  /// Creates the kind with a number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// The login under which something happened: an account, and one of its logins.
public struct Login: Hashable, Sendable, Codable {
  /// The account's number within the store.
  public var account: UInt32
  /// The number of the login within the account, counted from 1.
  public var epoch: UInt32

  /// The largest number of an account or a login, so that one can always be counted on.
  package static let numberMax = UInt32.max - 1

  /// Creates a login of an account.
  public init(account: UInt32, epoch: UInt32) {
    self.account = account
    self.epoch = epoch
  }
}

/// An event before the log has numbered it: a record's header as its author fills it in.
public struct Event: Hashable, Sendable {
  /// The origin of an event.
  public enum Origin: Hashable, Sendable {
    /// The server, a push or the clock reported it.
    case fact
    /// The user or the application requested it.
    case intent
  }

  /// A reference from an event to another record.
  public enum Reference: Hashable, Sendable {
    /// A record of the log.
    case record(RecordNumber)
    /// A record of the same batch, by its index, which the batch must have when it is appended:
    /// otherwise the reference denotes whatever record gets that number.
    ///
    /// A negative index traps when the event is added. So does any reference of this kind when the
    /// event is written into a spool or a baseline, which are not batches.
    case sameBatch(Int)
  }

  /// The kind of the event.
  public var kind: EventKind
  /// The version of the kind's payload.
  public var version: UInt8
  /// The origin of the event.
  public var origin: Origin
  /// The time of recording.
  public var recordedAt: Timestamp
  /// The login under which the event happened.
  public var login: Login?
  /// The record that led to the event.
  public var cause: Reference?
  /// The exchange with a server that carried the event.
  public var exchange: Reference?
  /// The entity that the event is about, identified by ``Log/fingerprint(of:)``.
  public var entity: Fingerprint?

  /// Creates an event with the header fields it needs; omitted ones take no space.
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

  /// Creates the event that a record came from, with the numbers of the records that it refers to.
  package init(_ header: RecordHeader) {
    self.init(
      kind: header.kind, version: header.version, origin: header.origin,
      recordedAt: header.recordedAt, login: header.login,
      cause: header.cause.map { .record($0) }, exchange: header.exchange.map { .record($0) },
      entity: header.entity)
  }
}

/// The identifier of an entity in a record's header: a keyed hash that is useless outside its
/// store.
public struct Fingerprint: RawRepresentable, Hashable, Sendable {
  /// The hash.
  public let rawValue: UInt64

  /// Creates the fingerprint with a hash.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
