/// The numbers of the fields that stand before a payload.
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
  /// Writes all of an event but its payload.
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
  /// The event of these fields, as far as they are known; `nil` where they are not one's.
  init?(spooled fields: PayloadFields) {
    guard let kind = fields.integer(SpoolField.kind, UInt16.self),
      let version = fields.integer(SpoolField.version, UInt8.self),
      case .boolean(let isIntent)? = fields[SpoolField.isIntent],
      let recordedAt = fields.integer(SpoolField.recordedAt, Int64.self)
    else { return nil }
    self.init(
      kind: EventKind(rawValue: kind), version: version, origin: isIntent ? .intent : .fact,
      recordedAt: Timestamp(rawValue: recordedAt))
    if let account = fields.integer(SpoolField.account, UInt32.self),
      let epoch = fields.integer(SpoolField.epoch, UInt32.self)
    {
      login = Login(account: account, epoch: epoch)
    }
    cause = fields.record(SpoolField.cause)
    exchange = fields.record(SpoolField.exchange)
    entity = fields.integer(SpoolField.fingerprint, Int64.self).map {
      Fingerprint(rawValue: UInt64(bitPattern: $0))
    }
  }
}

extension PayloadFields {
  /// The integer of a field, where it is one and not too large.
  fileprivate func integer<T: FixedWidthInteger>(_ number: Int, _ type: T.Type) -> T? {
    guard case .integer(let value)? = self[number] else { return nil }
    return T(exactly: value)
  }

  /// The record that a field names.
  fileprivate func record(_ number: Int) -> Event.Reference? {
    integer(number, Int64.self).map { .record(RecordNumber(rawValue: UInt64(bitPattern: $0))) }
  }
}
