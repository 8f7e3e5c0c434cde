import LMDB

/// The summary of a generation of views, written with each frame.
///
/// Consists of a four-byte checksum of the key and all that follows, and a payload: the last record
/// in the views, their store, the totals of each collection, for each view its number, its name,
/// the hash of its plan and its index's header, the remaining nodes of views that are no longer
/// kept, and the views that the reducer has queried.
package struct ViewsMeta: Sendable {
  /// The key of the summary.
  package static let key: UInt64 = 0
  /// The format of the whole file.
  package static let format = 6

  /// The last record in the views.
  package var applied: LogPoint
  /// The store that the views belong to.
  package var store: StoreID
  /// The totals of each collection, by the collection's number.
  package var totals: [(collection: UInt8, totals: RowTotals)]
  /// The views.
  package var views: [View]
  /// The views that are no longer kept but still have nodes.
  package var former: [FormerView]

  /// The summary of a view.
  package struct View: Hashable, Sendable {
    /// The number in the keys of its nodes.
    package var number: UInt32
    /// Its name.
    package var name: String
    /// The hash of its plan.
    package var hash: UInt64
    /// The header of its index.
    package var header: IndexHeader
    /// Whether the reducer has queried the view, so that rows may depend on its definition.
    package var isAsked = false

    /// A summary of a view.
    package init(
      number: UInt32, name: String, hash: UInt64, header: IndexHeader, isAsked: Bool = false
    ) {
      (self.number, self.name, self.hash, self.header) = (number, name, hash, header)
      self.isAsked = isAsked
    }
  }

  /// Adds the hash by which the rows of a collection changed when they were written.
  mutating func add(hash: UInt64, toCollection number: UInt8) {
    guard let index = totals.firstIndex(where: { $0.collection == number }) else { return }
    totals[index].totals.hash &+= hash
  }

  private enum Field {
    package static let format = 1
    static let number = 2
    static let chain = 3
    static let store = 4
    static let totals = 5
    static let views = 6
    static let former = 7
    static let asked = 8
  }

  /// The encoded summary.
  package var bytes: [UInt8] {
    let payload = payload
    var bytes: [UInt8] = []
    bytes.append(littleEndian: Checksum.of(Self.key, payload.raw))
    return bytes + payload
  }

  private var payload: [UInt8] {
    PayloadWriter.bytes { writer in
      writer.put(Field.format, Self.format)
      writer.put(Field.number, Int64(bitPattern: applied.number.rawValue))
      writer.put(Field.chain, Int64(applied.chain))
      writer.put(Field.store, store.bytes)
      writer.putList(Field.totals) { list in
        for (collection, totals) in totals {
          list.append(Int64(collection))
          list.append(Int64(totals.lastID))
          list.append(Int64(bitPattern: totals.count))
          list.append(Int64(bitPattern: totals.hash))
        }
      }
      writer.putList(Field.views) { list in
        for view in views {
          list.append(Int64(view.number))
          list.append(view.name)
          list.append(Int64(bitPattern: view.hash))
          list.append(view.header.bytes)
        }
      }
      writer.putList(Field.former) { list in
        for view in former {
          list.append(Int64(view.number))
          list.append(Int64(view.last))
        }
      }
      writer.putList(Field.asked) { list in
        for view in views where view.isAsked { list.append(Int64(view.number)) }
      }
    }
  }

  /// A summary of views.
  package init(
    applied: LogPoint, store: StoreID, totals: [(collection: UInt8, totals: RowTotals)],
    views: [View], former: [FormerView]
  ) {
    self.applied = applied
    self.store = store
    self.totals = totals
    self.views = views
    self.former = former
  }

  /// Decodes a summary; `nil` if the bytes are damaged or in another format.
  package init?(_ bytes: RawSpan) {
    guard bytes.byteCount > 4 else { return nil }
    let payload = bytes.extracting(droppingFirst: 4)
    guard bytes.integer(UInt32.self, at: 0) == Checksum.of(Self.key, payload),
      let fields = try? PayloadFields(decoding: payload),
      fields.word(Field.format) == UInt64(Self.format),
      let number = fields.word(Field.number),
      let chain = fields.word(Field.chain).flatMap({ UInt32(exactly: $0) }),
      case .bytes(let store)? = fields[Field.store], let store = StoreID(bytes: store),
      case .list(let totals)? = fields[Field.totals], totals.count % 4 == 0,
      case .list(let views)? = fields[Field.views], views.count % 4 == 0,
      case .list(let former)? = fields[Field.former], former.count % 2 == 0,
      case .list(let asked)? = fields[Field.asked]
    else { return nil }
    applied = LogPoint(number: RecordNumber(rawValue: number), chain: chain)
    self.store = store
    self.totals = []
    self.views = []
    self.former = []
    for start in stride(from: 0, to: totals.count, by: 4) {
      guard let entry = Self.totals(totals[start..<(start + 4)]) else { return nil }
      self.totals.append(entry)
    }
    for start in stride(from: 0, to: views.count, by: 4) {
      guard var view = View(views[start..<(start + 4)]) else { return nil }
      view.isAsked = asked.contains(.integer(Int64(view.number)))
      self.views.append(view)
    }
    for start in stride(from: 0, to: former.count, by: 2) {
      guard let view = FormerView(former[start..<(start + 2)]) else { return nil }
      self.former.append(view)
    }
  }

  private static func totals(_ values: ArraySlice<PayloadValue>) -> (UInt8, RowTotals)? {
    let words = values.map { value -> UInt64? in
      if case .integer(let integer) = value { UInt64(bitPattern: integer) } else { nil }
    }
    guard let collection = words[0].flatMap({ UInt8(exactly: $0) }),
      let last = words[1].flatMap({ UInt32(exactly: $0) }), let count = words[2],
      let hash = words[3]
    else { return nil }
    return (collection, RowTotals(lastID: last, count: count, hash: hash))
  }
}

extension FormerView {
  fileprivate init?(_ values: ArraySlice<PayloadValue>) {
    guard case .integer(let number)? = values.first, case .integer(let last)? = values.last,
      let number = UInt32(exactly: number), let last = UInt32(exactly: last)
    else { return nil }
    self.init(number: number, last: last)
  }
}

extension ViewsMeta.View {
  fileprivate init?(_ values: ArraySlice<PayloadValue>) {
    let values = Array(values)
    guard case .integer(let number) = values[0], let number = UInt32(exactly: number),
      case .text(let name) = values[1], case .integer(let hash) = values[2],
      case .bytes(let header) = values[3], let header = IndexHeader(header.raw)
    else { return nil }
    self.init(number: number, name: name, hash: UInt64(bitPattern: hash), header: header)
  }
}
