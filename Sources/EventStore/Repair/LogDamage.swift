import LMDB

/// Something wrong with the entries of a log.
public enum LogDamage: Hashable, Sendable {
  /// The store's own record, which says whose log this is, is not there.
  case storeAbsent
  /// The store's own record is not what it was when it was written.
  case storeDamaged
  /// A record is not what it was when it was written.
  case record(RecordNumber, RecordDamage)
  /// There are no records of these numbers.
  case missing(ClosedRange<RecordNumber>)
  /// A record is whole and in its place, but stands under another number.
  case misplaced(RecordNumber, under: UInt64)
  /// The baseline has not as many records as it must, or its last are missing.
  case baseline(found: UInt64, of: UInt64)
  /// An entry is no record, or one out of order that proves nothing; with the bytes of its key.
  case stray(key: [UInt8])
}

extension LogDamage: CustomStringConvertible {
  /// What is wrong, as one clause.
  public var description: String {
    switch self {
    case .storeAbsent: "the store's own record is missing"
    case .storeDamaged: "the store's own record is damaged"
    case .record(let number, let damage): "record \(number) \(damage.clause)"
    case .missing(let numbers):
      numbers.count == 1
        ? "record \(numbers.lowerBound) is missing"
        : "records \(numbers.lowerBound) to \(numbers.upperBound) are missing"
    case .misplaced(let number, let key): "record \(number) stands under number \(key)"
    case .baseline(let found, let count): "the baseline has \(found) of its \(count) records"
    case .stray(let key): "an entry under the key \(key) is no record, or out of order"
    }
  }

  /// The records that it names.
  public var numbers: ClosedRange<RecordNumber>? {
    switch self {
    case .record(let number, _), .misplaced(let number, _): number...number
    case .missing(let numbers): numbers
    case .storeAbsent, .storeDamaged, .baseline, .stray: nil
    }
  }
}

extension RecordDamage {
  /// What is wrong with a record, to follow its name.
  fileprivate var clause: String {
    switch self {
    case .cutOff: "is cut off"
    case .unknownFormat: "has a header of an unknown form"
    case .payload: "has a damaged payload"
    case .chain: "has a damaged header"
    case .absent: "is missing"
    }
  }
}

extension JSONWriter {
  /// Writes what is wrong as an object: its kind, its records, and a sentence's clause.
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
