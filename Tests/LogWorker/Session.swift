import EventStore

/// The log that the worker has open, and the commands it performs on it.
struct Session {
  private var log: Log?
  private var path = ""
  private var views = ViewsSession()
  private var store = StoreSession()

  /// Performs the command of a line, and returns the answer.
  mutating func answer(_ command: String, _ words: [String]) async -> String {
    do {
      switch command {
      case "become": return become(UInt32(words[0]) ?? 0) ? "done" : "failed"
      case "open": return try await open(words)
      case "views": return try await views.answer(words[0], Array(words.dropFirst()))
      case "store": return try await store.answer(words[0], Array(words.dropFirst()))
      default: break
      }
      guard let log else { return "no log" }
      switch command {
      case "append": return try await Self.append(words, to: log)
      case "show": return try await Self.show(words, in: log)
      case "stream": return try await Self.stream(words, to: log)
      case "follow": return try await Self.follow(words, log)
      case "churn": return try await Self.churn(words, log)
      case "hold": return try Self.hold(log)
      case "texts": return try Self.texts(of: log)
      case "identity": return "\(log.store) \(log.incarnation)"
      case "last": return "\(try log.last)"
      case "flush": try await log.flush()
      case "check": try log.checkInvariants()
      case "close": await close()
      default: return "unknown command"
      }
      return "done"
    } catch {
      return "error \((error as? LogError)?.name ?? "\(error)")"
    }
  }

  /// `open PATH [readOnly] [mapSizeMax=BYTES]`: answers with the last number.
  private mutating func open(_ words: [String]) async throws -> String {
    var options = Log.Options()
    for word in words.dropFirst() {
      if word == "readOnly" { options.isReadOnly = true }
      if word.hasPrefix("mapSizeMax="), let bytes = Int(word.dropFirst(11)) {
        options.mapSizeMax = bytes
      }
    }
    log = try await Log.open(at: words[0], options: options)
    return "\(try log?.last ?? .zero)"
  }

  private mutating func close() async {
    await log?.close()
    log = nil
  }

  /// `append DURABILITY TEXT BYTES`: appends a record, its text padded to `BYTES` bytes.
  private static func append(_ words: [String], to log: Log) async throws -> String {
    let batch = Batch.of([words[1].padded(to: Int(words[2]) ?? 0)])
    return "\(try await log.append(batch, durability: durability(words[0])).lowerBound)"
  }

  /// `show TEXT`: submits a record, and waits until it is visible.
  private static func show(_ words: [String], in log: Log) async throws -> String {
    try await log.submit(.of([words[0]])).visible()
    return "shown"
  }

  /// `stream NAME TASKS COUNT`: each task appends `COUNT` batches of one or two records,
  /// alternately durable and relaxed, and prints each record's number and text once acknowledged.
  private static func stream(_ words: [String], to log: Log) async throws -> String {
    let (name, count) = (words[0], Int(words[2]) ?? .max)
    try await withThrowingTaskGroup { group in
      for task in 0..<(Int(words[1]) ?? 1) {
        group.addTask { try await stream("\(name).\(task)", count, to: log) }
      }
      try await group.waitForAll()
    }
    return "done"
  }

  private static func stream(_ name: String, _ count: Int, to log: Log) async throws {
    for index in 0..<count {
      let text = "\(name).\(index)"
      let texts = index % 3 == 0 ? [text + "a", text + "b"] : [text]
      let padded = texts.map { $0.padded(to: index % 17 == 0 ? 5000 : 0) }
      let numbers = try await log.append(
        .of(padded), durability: index % 2 == 0 ? .full : .relaxed)
      tell(zip(numbers, texts).map { "\($0) \($1)" }.joined(separator: "\n"))
    }
  }

  /// `follow FIRST LAST`: prints each record's number and text.
  private static func follow(_ words: [String], _ log: Log) async throws -> String {
    let (first, last) = (UInt64(words[0]) ?? 1, UInt64(words[1]) ?? .max)
    tell("following")
    for try await record in log.records(from: RecordNumber(rawValue: first)) {
      tell("\(record.number) \(record.text)")
      if record.number.rawValue == last { break }
    }
    return "done"
  }

  /// Begins a read, and never ends it.
  private static func hold(_ log: Log) throws -> String {
    try log.read { snapshot throws(LogError) in
      tell("holding \(snapshot.last)")
      while true { _ = try snapshot.record(1) }
    }
  }

  /// Returns the number of records and all their texts, each without its padding.
  private static func texts(of log: Log) throws -> String {
    try log.read { snapshot throws(LogError) in
      var texts: [String] = []
      var cursor = try snapshot.records()
      while try cursor.next() { texts.append(cursor.record.record.text) }
      return "\(texts.count) \(texts.joined(separator: " "))"
    }
  }

  private static func durability(_ word: String) -> Durability { word == "full" ? .full : .relaxed }
}
