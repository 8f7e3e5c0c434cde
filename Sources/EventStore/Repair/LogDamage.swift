import LMDB

/// Damage to the entries of a log.
public enum LogDamage: Hashable, Sendable {
  /// The store's own record, which identifies the log's store, is missing.
  case storeAbsent
  /// The store's own record differs from what was written.
  case storeDamaged
  /// A record differs from what was written.
  case record(RecordNumber, RecordDamage)
  /// The records with these numbers are missing.
  case missing(ClosedRange<RecordNumber>)
  /// A record is intact and in its place but stored under another number.
  case misplaced(RecordNumber, under: UInt64)
  /// The baseline has the wrong number of records, or its last ones are missing.
  case baseline(found: UInt64, of: UInt64)
  /// An entry is not a record, or is out of order and unproven; carries the bytes of its key.
  case stray(key: [UInt8])
}

extension LogDamage: CustomStringConvertible {
  /// The damage as one clause.
  public var description: String {
    switch self {
    case .storeAbsent: "the store's own record is missing"
    case .storeDamaged: "the store's own record is damaged"
    case .record(let number, let damage): "record \(number) \(damage.clause)"
    case .missing(let numbers):
      numbers.count == 1
        ? "record \(numbers.lowerBound) is missing"
        : "records \(numbers.lowerBound) to \(numbers.upperBound) are missing"
    case .misplaced(let number, let key): "record \(number) is stored under number \(key)"
    case .baseline(let found, let count): "the baseline has \(found) of its \(count) records"
    case .stray(let key): "the entry under key \(key) is not a record, or is out of order"
    }
  }

  /// The numbers of the affected records.
  public var numbers: ClosedRange<RecordNumber>? {
    switch self {
    case .record(let number, _), .misplaced(let number, _): number...number
    case .missing(let numbers): numbers
    case .storeAbsent, .storeDamaged, .baseline, .stray: nil
    }
  }
}

extension RecordDamage {
  /// The damage as a clause that follows the record's name.
  fileprivate var clause: String {
    switch self {
    case .cutOff: "is cut off"
    case .unknownFormat: "has a header of an unknown format"
    case .payload: "has a damaged payload"
    case .chain: "has a damaged header"
    case .absent: "is missing"
    }
  }
}

extension JSONWriter {
  /// Writes the damage as an object: the records' numbers, if any, and a clause.
  mutating func damage(_ damage: LogDamage) {
    object { json in
      if let numbers = damage.numbers {
        json.member("from", numbers.lowerBound.rawValue)
        json.member("to", numbers.upperBound.rawValue)
      }
      json.member("what", damage.description)
    }
  }
}
