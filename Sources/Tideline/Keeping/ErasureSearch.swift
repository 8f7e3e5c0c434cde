import EventStore

/// Finds the records that hold something of an object, beside those whose headers name it.
struct ErasureSearch {
  private let entities: Set<Fingerprint>
  private let ids: Set<String>
  private var intents: Set<RecordNumber> = []
  /// Those that were found.
  private(set) var numbers: [ClosedRange<RecordNumber>] = []

  /// The most records that are found.
  private static let countMax = 2048

  /// A search for an object by its names.
  init(_ entities: Set<Fingerprint>, _ ids: Set<String>) {
    (self.entities, self.ids) = (entities, ids)
  }

  /// Looks at the next record: what became of an intent may hold what was sent of it, and what was
  /// refused holds all of it.
  mutating func look(at record: borrowing RecordView) {
    let header = record.header
    guard !header.isErased else { return }
    if let entity = header.entity, entities.contains(entity) { intents.insert(record.number) }
    guard numbers.count < Self.countMax, holdsIt(record, header) else { return }
    numbers.append(record.number...record.number)
  }

  private func holdsIt(_ record: borrowing RecordView, _ header: RecordHeader) -> Bool {
    if header.kind == ItemRefused.kind {
      let item = try? ItemRefused(decoding: record.payload, version: header.version)
      return item?.id.map { ids.contains($0) } ?? false
    }
    guard header.kind == OperationStarted.kind || header.kind == OperationRejected.kind else {
      return false
    }
    let event = try? EventCatalog.event(of: record)
    let intent = (event as? OperationStarted)?.intent ?? (event as? OperationRejected)?.intent
    return intent.map { intents.contains($0) } ?? false
  }
}
