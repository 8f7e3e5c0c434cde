import LMDB

/// A first screen is encoded as a sealed list of the entries' lengths and checksums, followed by
/// the entries, which are payloads.
extension FirstScreen {
  private static let seal = Seal(magic: "tidefirs", format: 1)
  private static let fixedCount = Seal.byteCount + 36
  private static let itemCount = 8

  /// The maximum number of bytes in the file.
  static let fileBytesMax = fixedCount + entriesMax * itemCount + bytesMax

  /// The encoded screen.
  package var bytes: [UInt8] {
    var body = store.bytes + incarnation.bytes
    body.append(littleEndian: UInt32(entries.count))
    for entry in entries {
      body.append(littleEndian: UInt32(entry.bytes.count))
      body.append(littleEndian: Checksum.of(entry.bytes.raw))
    }
    return entries.reduce(into: Self.seal.bytes(sealing: body)) { $0 += $1.bytes }
  }

  /// Decodes a screen; `nil` if the bytes are not those of a screen, or are truncated.
  ///
  /// An entry whose own bytes are damaged is omitted.
  package init?(_ bytes: RawSpan) {
    guard bytes.byteCount >= Self.fixedCount else { return nil }
    let count = Int(bytes.integer(UInt32.self, at: Self.fixedCount - 4))
    let start = Self.fixedCount + count * Self.itemCount
    guard count <= Self.entriesMax, start <= bytes.byteCount,
      Self.seal.isWhole(bytes.extracting(first: start)),
      let store = StoreID(bytes: bytes.extracting(16..<32).array),
      let incarnation = StoreID(bytes: bytes.extracting(32..<48).array)
    else { return nil }
    self.init(store: store, incarnation: incarnation)
    guard takeEntries(of: bytes, count, from: start) else { return nil }
  }

  /// Decodes the entries; returns whether they occupy all remaining bytes.
  private mutating func takeEntries(of bytes: RawSpan, _ count: Int, from start: Int) -> Bool {
    var start = start
    for index in 0..<count {
      let item = Self.fixedCount + index * Self.itemCount
      let end = start + Int(bytes.integer(UInt32.self, at: item))
      guard end <= bytes.byteCount else { return false }
      let own = bytes.extracting(start..<end)
      if Checksum.of(own) == bytes.integer(UInt32.self, at: item + 4), let entry = Entry(own),
        self[entry.key] == nil
      {
        append(entry)
      }
      start = end
    }
    return start == bytes.byteCount
  }
}

extension FirstScreen.Entry {
  private enum Field {
    static let view = 1
    static let plan = 2
    static let group = 3
    static let count = 4
    static let number = 5
    static let chain = 6
    static let rows = 7
    static let generation = 8
    static let listed = 9
  }

  init(key: FirstScreen.Key, window: FirstScreen.Window) {
    self.key = key
    self.window = window
    bytes = PayloadWriter.bytes { writer in
      writer.put(Field.view, key.view)
      writer.put(Field.plan, Int64(bitPattern: key.plan))
      writer.put(Field.group, key.group)
      writer.put(Field.count, window.count)
      writer.put(Field.number, Int64(bitPattern: window.applied.number.rawValue))
      writer.put(Field.chain, Int64(window.applied.chain))
      writer.putList(Field.rows) { list in window.rows.forEach { list.append($0) } }
      writer.put(Field.generation, Int64(bitPattern: window.generation))
      writer.put(Field.listed, Int64(bitPattern: window.group))
    }
  }

  /// Decodes an entry; `nil` if the bytes are not those of an entry.
  init?(_ bytes: RawSpan) {
    guard let fields = try? PayloadFields(decoding: bytes),
      case .text(let view)? = fields[Field.view], let plan = fields.word(Field.plan),
      case .text(let group)? = fields[Field.group],
      let count = fields.word(Field.count).flatMap({ Int(exactly: $0) }),
      let number = fields.word(Field.number),
      let chain = fields.word(Field.chain).flatMap({ UInt32(exactly: $0) }),
      case .list(let items)? = fields[Field.rows],
      let generation = fields.word(Field.generation), let listed = fields.word(Field.listed)
    else { return nil }
    let rows = items.compactMap { if case .bytes(let row) = $0 { row } else { nil } }
    guard rows.count == items.count else { return nil }
    key = FirstScreen.Key(view: view, plan: plan, group: group)
    window = FirstScreen.Window(
      rows: rows, count: count,
      applied: LogPoint(number: RecordNumber(rawValue: number), chain: chain),
      generation: generation, group: listed)
    self.bytes = bytes.array
  }
}
