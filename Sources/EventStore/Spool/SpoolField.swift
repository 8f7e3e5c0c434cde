/// The numbers of the fields that precede a payload.
enum SpoolField {
  static let kind = 1
  static let version = 2
  static let isIntent = 3
  static let recordedAt = 4
  static let account = 5
  static let epoch = 6
  static let cause = 7
  static let exchange = 8
  static let fingerprint = 9
  static let entity = 10
}

extension PayloadWriter {
  /// Writes all of an event except its payload.
  mutating func put(_ event: Event, about entity: String?) {
    precondition(entity == nil || event.entity == nil, "an event is about one entity")
    put(SpoolField.kind, Int(event.kind.rawValue))
    put(SpoolField.version, Int(event.version))
    put(SpoolField.isIntent, event.origin == .intent)
    put(SpoolField.recordedAt, event.recordedAt.rawValue)
    if let login = event.login {
      put(SpoolField.account, Int(login.account))
      put(SpoolField.epoch, Int(login.epoch))
    }
    put(SpoolField.cause, event.cause)
    put(SpoolField.exchange, event.exchange)
    if let entity = event.entity {
      put(SpoolField.fingerprint, Int64(bitPattern: entity.rawValue))
    }
    if let entity { put(SpoolField.entity, entity) }
  }

  private mutating func put(_ number: Int, _ reference: Event.Reference?) {
    switch reference {
    case .record(let record): put(number, Int64(bitPattern: record.rawValue))
    case .sameBatch: preconditionFailure("an event of the spool is in no batch")
    case nil: break
    }
  }
}

extension Event {
  /// Decodes the known fields of an event; `nil` if the fields aren't an event's.
  init?(spooled fields: PayloadFields) {
    guard let kind: UInt16 = fields.integer(SpoolField.kind),
      let version: UInt8 = fields.integer(SpoolField.version),
      case .boolean(let isIntent)? = fields[SpoolField.isIntent],
      let recordedAt: Int64 = fields.integer(SpoolField.recordedAt)
    else { return nil }
    self.init(
      kind: EventKind(rawValue: kind), version: version, origin: isIntent ? .intent : .fact,
      recordedAt: Timestamp(rawValue: recordedAt))
    if let account: UInt32 = fields.integer(SpoolField.account),
      let epoch: UInt32 = fields.integer(SpoolField.epoch)
    {
      guard max(account, epoch) <= Login.numberMax else { return nil }
      login = Login(account: account, epoch: epoch)
    }
    cause = fields.record(SpoolField.cause)
    exchange = fields.record(SpoolField.exchange)
    entity = fields.word(SpoolField.fingerprint).map(Fingerprint.init(rawValue:))
  }
}

extension PayloadFields {
  /// The record that a field refers to.
  fileprivate func record(_ number: Int) -> Event.Reference? {
    word(number).map { .record(RecordNumber(rawValue: $0)) }
  }
}
