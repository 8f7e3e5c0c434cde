import EventStore
import LMDB
import ToyDomains

/// The store that the worker has open, and the commands it performs on it.
struct StoreSession {
  private var store: Store?

  /// Performs the command of a line that begins with `store`, and returns the answer.
  mutating func answer(_ command: String, _ words: [String]) async throws -> String {
    switch command {
    case "open": return try await open(words)
    case "hold": return try Self.hold(words[0])
    default: break
    }
    guard let store else { return "no store" }
    switch command {
    case "role": return Self.role(of: store)
    case "append": return "\(try await store.append(Self.batch(words[0])).lowerBound)"
    case "show": return try await Self.show(Self.batch(words[0]), in: store)
    case "shown": return "\(try store.read { $0.position.number })"
    case "titles": return try Self.titles(of: store)
    case "failure": return store.failure.map { "\($0)" } ?? "none"
    case "erase":
      let report = try await store.erase(Erasure(accounts: [UInt32(words[0]) ?? 0]))
      return report.isWiped ? "wiped" : "not wiped"
    case "commit": try await store.commitViews()
    case "suspend": await store.suspend()
    case "resume": try await store.resume()
    case "close": await close()
    default: return "unknown command"
    }
    return "done"
  }

  /// `show BATCH`: like `append`, but the submitting process shows the batch where it can.
  private static func show(_ batch: Batch, in store: Store) async throws -> String {
    "\(try await store.taken(store.submitAndShow(batch)).lowerBound)"
  }

  /// `open PATH [ROWS]`: opens a to-do list where an event may touch `ROWS` rows, and answers
  /// whether this process is the keeper.
  private mutating func open(_ words: [String]) async throws -> String {
    var options = Store.Options()
    if words.count > 1, let count = Int(words[1]) { options.eventRowsMax = count }
    let opened = try await Store.open(
      at: words[0], reducer: Todo.rules(Todo.views), options: options)
    store = opened
    return Self.role(of: opened)
  }

  private mutating func close() async {
    await store?.close()
    store = nil
  }

  private static func role(of store: Store) -> String {
    store.isKeeping ? "keeper" : "follower"
  }

  /// Returns the batch written as `KIND:HEX,KIND:HEX`.
  private static func batch(_ text: String) -> Batch {
    var batch = Batch()
    for event in text.split(separator: ",") {
      let parts = event.split(separator: ":", omittingEmptySubsequences: false)
      let digits = Array(parts[1].utf8)
      let payload = stride(from: 0, to: digits.count, by: 2).map { index in
        UInt8(String(decoding: digits[index..<(index + 2)], as: UTF8.self), radix: 16) ?? 0
      }
      let kind = EventKind(rawValue: UInt16(parts[0]) ?? 0)
      let event = Event(kind: kind, recordedAt: Timestamp(rawValue: 0))
      unsafe batch.add(event, payload: payload.span.bytes)
    }
    return batch
  }

  private static func titles(of store: Store) throws -> String {
    try store.read { snapshot in
      try snapshot.rows(of: "titles", in: 0...).map(\.id).joined(separator: " ")
    }
  }

  /// `hold VIEWS`: begins a read of the current generation, like a process that knows nothing of
  /// views, and never ends it.
  private static func hold(_ path: String) throws -> String {
    let folder = Folder(path)
    guard let pointer = try ViewsPointer.read(in: folder) else { return "no pointer" }
    let generation = folder.folder(String(pointer.generation))
    let environment = try Environment(at: generation.path, options: Generation.options)
    try environment.read { transaction throws(LMDBError) in
      tell("holding \(pointer.generation)")
      while readLine() != nil {}
      _ = transaction.id
    }
    return "done"
  }
}
