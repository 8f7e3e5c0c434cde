/// The selection of payloads to erase: by account, by entity, or by record.
///
///     try await log.erase(Erasure(accounts: [7]))
///     try await log.erase(Erasure(entities: [log.fingerprint(of: "message/17")]))
///
/// A record that matches any of them is erased, unless it has no payload.
public struct Erasure: Hashable, Sendable {
  /// The maximum number of items of all kinds in one erasure.
  public static let itemsMax = 4096

  /// The accounts; all records of any of their logins match.
  public var accounts: Set<UInt32>
  /// The entities.
  public var entities: Set<Fingerprint>
  /// The records, by number.
  public var numbers: [ClosedRange<RecordNumber>]
  /// The last record to erase, whatever else is named; the log's last record by default.
  public var last: RecordNumber?

  /// Creates an erasure of the named items.
  public init(
    accounts: Set<UInt32> = [], entities: Set<Fingerprint> = [],
    numbers: [ClosedRange<RecordNumber>] = [], last: RecordNumber? = nil
  ) {
    self.last = last
    self.accounts = accounts
    self.entities = entities
    self.numbers = numbers
  }

  /// The number of named items.
  var count: Int { accounts.count + entities.count + numbers.count }

  /// Returns whether a record matches.
  func contains(_ number: RecordNumber, _ header: RecordHeader) -> Bool {
    if let login = header.login, accounts.contains(login.account) { return true }
    if let entity = header.entity, entities.contains(entity) { return true }
    return numbers.contains { $0.contains(number) }
  }
}

extension Erasure {
  private enum Field {
    static let accounts = 1
    static let entities = 2
    static let numbers = 3
  }

  /// Writes all but `last`, with accounts and entities sorted.
  func write(to writer: inout PayloadWriter) {
    writer.putList(Field.accounts) { list in
      for account in accounts.sorted() { list.append(Int64(account)) }
    }
    writer.putList(Field.entities) { list in
      for entity in entities.map(\.rawValue).sorted() { list.append(Int64(bitPattern: entity)) }
    }
    writer.putList(Field.numbers) { list in
      for range in numbers {
        list.append(Int64(bitPattern: range.lowerBound.rawValue))
        list.append(Int64(bitPattern: range.upperBound.rawValue))
      }
    }
  }

  /// Reads an erasure, which has no `last`.
  init(_ fields: PayloadFields) {
    let bounds = fields.numbers(Field.numbers).map(RecordNumber.init(rawValue:))
    let pairs = stride(from: 0, to: bounds.count - 1, by: 2).map { (bounds[$0], bounds[$0 + 1]) }
    self.init(
      accounts: Set(fields.numbers(Field.accounts).map { UInt32(truncatingIfNeeded: $0) }),
      entities: Set(fields.numbers(Field.entities).map(Fingerprint.init(rawValue:))),
      numbers: pairs.filter { $0 <= $1 }.map { $0...$1 })
  }
}

extension PayloadFields {
  /// Returns the integers in a list as unsigned numbers.
  fileprivate func numbers(_ field: Int) -> [UInt64] {
    guard case .list(let items)? = self[field] else { return [] }
    return items.compactMap {
      if case .integer(let item) = $0 { UInt64(bitPattern: item) } else { nil }
    }
  }
}
