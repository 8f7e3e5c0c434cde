import LMDB
import Testing

/// A random history of one table, with a model of what the table must hold.
///
/// Keys are identified by their index in `keys`, which is in the table's order.
struct History<Key: TableElement & Equatable> {
  typealias Entry = (key: Int, value: [UInt8])

  let keys: [Key]
  let table: Table<Key, [UInt8]>
  var random: Seeded
  var model: [Int: [[UInt8]]] = [:]

  var hasDuplicates: Bool { table.options.contains(.duplicates) }

  init(_ keys: [Key], _ table: Table<Key, [UInt8]>, seed: UInt64) {
    self.keys = keys
    self.table = table
    random = Seeded(seed)
  }

  /// The entries that the table must hold, in order.
  var entries: [Entry] {
    model.sorted { $0.key < $1.key }.flatMap { key, values in values.map { (key, $0) } }
  }

  /// Runs a transaction of `steps` steps, and restores the model if it is aborted.
  mutating func run(_ steps: Int, in environment: Environment) throws {
    let before = model
    var transaction = try environment.beginWriting()
    for _ in 0..<steps {
      try step(&transaction)
      try compare(transaction)
    }
    if random.onceIn(4) {
      transaction.abort()
      model = before
    } else {
      try transaction.commit([.full, .pages, .none].randomElement(using: &random) ?? .full)
    }
    try compare(environment.beginReading())
  }

  private mutating func step(_ transaction: inout WriteTransaction) throws(LMDBError) {
    switch random.below(10) {
    case 0: try insert(&transaction)
    case 1: try append(&transaction)
    case 2: try reserve(&transaction)
    case 3, 4: try remove(&transaction)
    case 5 where hasDuplicates: try removeValue(&transaction)
    case 5: try walk(&transaction)
    case 6 where random.onceIn(20):
      try transaction.removeAll(from: table)
      model = [:]
    default: try put(&transaction)
    }
  }

  private mutating func anyKey() -> Int { random.below(keys.count) }

  private mutating func anyValue() -> [UInt8] {
    guard hasDuplicates else { return random.bytes(below: random.onceIn(9) ? 9000 : 700) }
    let value = random.bytes(below: random.onceIn(3) ? 512 : 4)
    return value.isEmpty ? [0] : value
  }

  private mutating func note(_ value: [UInt8], for key: Int) {
    guard hasDuplicates else { return model[key] = [value] }
    var values = model[key] ?? []
    guard !values.contains(value) else { return }
    values.append(value)
    model[key] = values.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private mutating func put(_ transaction: inout WriteTransaction) throws(LMDBError) {
    let (key, value) = (anyKey(), anyValue())
    try transaction.put(value, for: keys[key], in: table)
    note(value, for: key)
  }

  private mutating func insert(_ transaction: inout WriteTransaction) throws(LMDBError) {
    let (key, value) = (anyKey(), anyValue())
    let isNew = model[key] == nil
    let code = failure { () throws(LMDBError) in
      try transaction.put(value, for: keys[key], in: table, .insert)
    }
    #expect(code == (isNew ? nil : .keyExists))
    if isNew { note(value, for: key) }
  }

  private mutating func append(_ transaction: inout WriteTransaction) throws(LMDBError) {
    let (key, value) = (anyKey(), anyValue())
    let isLast = key > (model.keys.max() ?? -1)
    let code = failure { () throws(LMDBError) in
      try transaction.put(value, for: keys[key], in: table, .append)
    }
    #expect(code == (isLast ? nil : .keyExists))
    if isLast { note(value, for: key) }
  }

  private mutating func reserve(_ transaction: inout WriteTransaction) throws(LMDBError) {
    guard let table = table as? Table<UInt64, [UInt8]>, !hasDuplicates else { return }
    let (key, value) = (anyKey(), anyValue())
    guard let number = keys[key] as? UInt64 else { return }
    var room = try transaction.reserve(value.count, for: number, in: table)
    room.store(copying: value.span.bytes, at: 0)
    note(value, for: key)
  }

  private mutating func remove(_ transaction: inout WriteTransaction) throws(LMDBError) {
    let key = anyKey()
    let wasThere = try transaction.remove(keys[key], from: table)
    #expect(wasThere == (model.removeValue(forKey: key) != nil))
  }

  private mutating func removeValue(_ transaction: inout WriteTransaction) throws(LMDBError) {
    let key = anyKey()
    let value = model[key]?.randomElement(using: &random) ?? anyValue()
    let wasThere = try transaction.remove(value, of: keys[key], from: table)
    let index = model[key]?.firstIndex(of: value)
    #expect(wasThere == (index != nil))
    if let index { model[key]?.remove(at: index) }
    if model[key] == [] { model[key] = nil }
  }

  /// Moves a write cursor back and forth, replacing and removing entries on the way.
  private mutating func walk(_ transaction: inout WriteTransaction) throws(LMDBError) {
    let bounds = Bounds(below: keys.count, &random)
    var cursor = try transaction.writeCursor(over: table, in: bounds.range(of: keys))
    var place: Int?
    for _ in 0..<random.below(40) {
      let inside = model.keys.filter(bounds.contains).sorted()
      let goesOn = random.below(3) > 0
      let next =
        goesOn
        ? inside.first { $0 > place ?? -1 } : inside.last { $0 < place ?? keys.count }
      #expect(try (goesOn ? cursor.next() : cursor.previous()) == (next != nil))
      place = next
      guard let next else { continue }
      #expect(Key(bytes: cursor.key) == keys[next])
      #expect(cursor.value.array == model[next]?.first)
      switch random.below(4) {
      case 0:
        try cursor.remove()
        model[next] = nil
        let isPlaced = cursor.isPlaced
        #expect(!isPlaced)
      case 1:
        let value = anyValue()
        try cursor.replace(with: value)
        model[next] = [value]
        #expect(cursor.value.array == value)
      default: break
      }
    }
  }

  /// Compares the whole table, and a random part of it in both directions.
  private mutating func compare(
    _ transaction: borrowing some Transaction & ~Copyable & ~Escapable
  ) throws {
    try #require(transaction.count(of: table) == entries.count)
    try compare(transaction, entries, .all)
    let bounds = Bounds(below: keys.count, &random)
    let part = entries.filter { bounds.contains($0.key) }
    try compare(transaction, part, bounds.range(of: keys))
    let key = anyKey()
    try #require(transaction.value(for: keys[key], in: table) == model[key]?.first)
    try seek(transaction, key, part, bounds.range(of: keys))
  }

  private func compare(
    _ transaction: borrowing some Transaction & ~Copyable & ~Escapable, _ expected: [Entry],
    _ range: KeyRange<Key>
  ) throws {
    var cursor = try transaction.cursor(over: table, in: range)
    for entry in expected {
      try #require(try cursor.next())
      try #require(Key(bytes: cursor.key) == keys[entry.key])
      try #require(cursor.value.array == entry.value)
    }
    try #require(try !cursor.next())
    for entry in expected.reversed() {
      try #require(try cursor.previous())
      try #require(Key(bytes: cursor.key) == keys[entry.key])
      try #require(cursor.value.array == entry.value)
      try #require(cursor.countOfValues() == model[entry.key]?.count)
    }
    try #require(try !cursor.previous())
  }

  /// Seeks a key from the cursor's current position, and continues from there.
  private func seek(
    _ transaction: borrowing some Transaction & ~Copyable & ~Escapable, _ key: Int,
    _ expected: [Entry], _ range: KeyRange<Key>
  ) throws {
    var cursor = try transaction.cursor(over: table, in: range)
    _ = try cursor.next()
    let rest = expected.filter { $0.key >= key }
    try #require(cursor.seek(keys[key]) == !rest.isEmpty)
    guard let first = rest.first else { return }
    try #require(cursor.value.array == first.value)
    let before = expected.last { $0.key < first.key }
    try #require(cursor.previous() == (before != nil))
    if let before { try #require(cursor.value.array == before.value) }
  }
}

/// A kind of range and its bounds, as indices into a list of keys.
struct Bounds {
  private let kind: Int
  private let first: Int
  private let last: Int

  init(below count: Int, _ random: inout Seeded) {
    kind = random.below(5)
    first = random.below(count)
    last = random.below(count)
  }

  func contains(_ key: Int) -> Bool {
    switch kind {
    case 0: true
    case 1: key >= first
    case 2: key < last
    case 3: first <= key && key < last
    default: first <= key && key <= last
    }
  }

  func range<Key>(of keys: [Key]) -> KeyRange<Key> {
    switch kind {
    case 0: .all
    case 1: .from(keys[first])
    case 2: .before(keys[last])
    case 3: .from(keys[first], before: keys[last])
    default: .through(keys[first], keys[last])
    }
  }
}

/// Returns the code of the error that `body` throws, or `nil` if it throws none.
func failure<R>(_ body: () throws(LMDBError) -> R) -> LMDBError.Code? {
  do throws(LMDBError) {
    _ = try body()
    return nil
  } catch {
    return error.code
  }
}
