/// Which payloads are to be erased: those of accounts, those about entities, those of records.
///
///     try await log.erase(Erasure(accounts: [7]))
///     try await log.erase(Erasure(entities: [log.fingerprint(of: "message/17")]))
///
/// A record that any of them names is erased; one that has no payload can't be.
public struct Erasure: Hashable, Sendable {
  /// The items of all kinds that one may name together.
  public static let itemsMax = 4096

  /// Accounts: whatever happened under a login of theirs.
  public var accounts: Set<UInt32>
  /// Entities.
  public var entities: Set<Fingerprint>
  /// Records by their numbers.
  public var numbers: [ClosedRange<RecordNumber>]
  /// The last record that is erased, whatever is named; without it, the last that there is.
  public var last: RecordNumber?

  /// What is named.
  public init(
    accounts: Set<UInt32> = [], entities: Set<Fingerprint> = [],
    numbers: [ClosedRange<RecordNumber>] = [], last: RecordNumber? = nil
  ) {
    self.last = last
    self.accounts = accounts
    self.entities = entities
    self.numbers = numbers
  }

  /// How many items it names.
  var count: Int { accounts.count + entities.count + numbers.count }

  /// Whether a record is to be erased.
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

  /// Writes it, in an order of its own.
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

  /// Reads it again.
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
  /// The integers in a list, as such without a sign.
  fileprivate func numbers(_ field: Int) -> [UInt64] {
    guard case .list(let items)? = self[field] else { return [] }
    return items.compactMap {
      if case .integer(let item) = $0 { UInt64(bitPattern: item) } else { nil }
    }
  }
}
