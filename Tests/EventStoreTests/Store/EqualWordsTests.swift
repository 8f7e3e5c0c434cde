import EventStore
import TestSupport
import Testing
import ToyDomains

/// Files whose names begin alike, so that only whole keys decide their order.
private struct Files: Reducer {
  static let name = Field<String>("name", 1)
  static let folders = Field<[String]>("folders", 2)
  static let files = RowCollection("files", number: 1, name, folders)
  static let put = EventKind(rawValue: 1)

  let version = 1
  let collections = [files]
  let views = [
    ViewDefinition("by folder", of: files, orderedBy: [name.ascending]).grouped(by: folders)
  ]

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    guard let fields = try? PayloadFields(decoding: event.payload),
      case .text(let id)? = fields[1], case .text(let name)? = fields[2],
      case .text(let folder)? = fields[3]
    else { throw Refusal("no file") }
    let row = try state.row(id, in: Self.files)
    state[row, Self.name] = name
    // Rows in several lists have a key in each.
    state[row, Self.folders] = folder == "both" ? ["inbox", "kept"] : [folder]
  }
}

@Suite(.timeLimit(.minutes(5))) struct EqualWordsTests {
  private struct File: Equatable {
    let id: String
    let name: String
    let folder: String
  }

  /// Batches are inserted one by one, or sorted and together, and move existing rows.
  @Test(arguments: [UInt64(1), 2, 3]) func files_standByTheirWholeNames(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let store = try MemoryStore(Files(), using: &generator)
    var files: [String: File] = [:]
    for count in [1, 60, 3, 200, 40, 200, 200, 2, 200] {
      let batch = (0..<count).map { _ in file(using: &generator) }
      for file in batch { files[file.id] = file }
      try append(batch, to: store)
      try store.checkInvariants()
    }
    for folder in ["inbox", "kept"] {
      let known = files.values.filter { $0.folder == folder || $0.folder == "both" }
      let expected = known.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map(\.id)
      let list = ListName("by folder", group: .text(folder))
      #expect(try store.views.rows(of: list, in: 0...).map(\.id) == expected)
    }
  }

  private func file(using generator: inout SeededGenerator) -> File {
    let name = "minutes of day \(Int.random(in: 0..<300, using: &generator))"
    return File(
      id: "f\(Int.random(in: 0..<700, using: &generator))", name: name,
      folder: generator.one(of: ["inbox", "kept", "both"]))
  }

  private func append(_ files: [File], to store: MemoryStore) throws {
    var batch = Batch()
    for file in files {
      batch.add(Event(kind: Files.put, recordedAt: Timestamp(rawValue: 0))) { payload in
        payload.put(1, file.id)
        payload.put(2, file.name)
        payload.put(3, file.folder)
      }
    }
    try store.append(batch)
  }
}
