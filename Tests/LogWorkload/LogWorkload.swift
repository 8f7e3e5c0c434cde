import EventStore
import LMDB
import PowerLossSupport

/// Several authors append to a log with both durabilities, in turn and concurrently, and promise
/// what the log reports as durable: full appends and everything before them.
///
/// They also promise the store's identity once it is open.
@main
enum LogWorkload: WorkloadProgram {
  private static let authorCount = 4
  private static let batchCount = 6

  /// Creates the log's folder, which is the caller's task, and returns its path.
  private static func folder(in root: Folder) throws -> String {
    let folder = root.folder("log")
    try folder.create()
    return folder.path
  }

  static func run(in root: Folder, acknowledge: @escaping Acknowledgement) async throws {
    let folder = try folder(in: root)
    // A process that dies before it flushes the names leaves this; the next one to open it does so.
    try Environment.createFile(in: folder)
    var authors = (0..<authorCount).map { Author($0) }
    try await appendInTurn(at: folder, 24, &authors, acknowledge)
    // When appends share commits, a promise may come so late that the next one's flush has covered
    // it: dropping its own flush then loses nothing.
    try acknowledge(Trace.unjudgedLine)
    try await appendTogether(at: folder, &authors, acknowledge)
    try await rewrite(at: folder)
    try acknowledge(Trace.judgedLine)
    try await appendInTurn(at: folder, 23, &authors, acknowledge)
  }

  /// Opens the log with a small map, so that it grows, and without timed flushes.
  private static func open(
    at folder: String, relaxedDelay: Duration = .seconds(60)
  ) async throws -> Log {
    var options = Log.Options()
    options.mapSize = 1 << 16
    options.relaxedDelay = relaxedDelay
    return try await Log.open(at: folder, options: options)
  }

  /// Appends `count` batches in sequence: full, relaxed, and relaxed before asking for a position.
  ///
  /// Then closes the log, which with 24 batches owes a flush and with 23 owes none.
  private static func appendInTurn(
    at folder: String, _ count: Int, _ authors: inout [Author], _ acknowledge: Acknowledgement
  ) async throws {
    let log = try await open(at: folder)
    try acknowledge(Promise.store("\(log.store)").description)
    var last = RecordNumber.zero
    for turn in 0..<count {
      let isFull = turn % 3 == 0
      last = try await authors[turn % authors.count].append(to: log, isFull ? .full : .relaxed)
      let isAsked = turn % 6 == 4
      if isAsked { _ = try await log.position(at: last) }
      if isFull || isAsked { try authors.promise(upTo: last, acknowledge) }
    }
    await log.close()
    try authors.promise(upTo: last, acknowledge)
  }

  /// Appends with all authors concurrently, each promising the batches it knows to be durable.
  private static func appendTogether(
    at folder: String, _ authors: inout [Author], _ acknowledge: @escaping Acknowledgement
  ) async throws {
    let log = try await open(at: folder, relaxedDelay: .milliseconds(1))
    authors = try await withThrowingTaskGroup { group in
      for author in authors {
        group.addTask { try await appendSome(to: log, author, acknowledge) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    try await log.flush()
    try authors.promise(upTo: log.last, acknowledge)
    await log.close()
  }

  /// Compacts most of the log into a baseline that keeps every record, and wipes the remains.
  ///
  /// Wherever the power is lost, everything promised remains under its number.
  private static func rewrite(at folder: String) async throws {
    let log = try await open(at: folder)
    let floor = try log.last.advanced(by: -5)
    try await log.compact(through: floor) { last in
      (1...20).map { last.advanced(by: $0) }.filter { $0 <= floor }.map { .kept($0) }
    }
    try await log.erase(Erasure(accounts: [1]))
    await log.close()
  }

  private static func appendSome(
    to log: Log, _ author: Author, _ acknowledge: Acknowledgement
  ) async throws -> Author {
    var author = author
    for batch in 0..<batchCount {
      let durability: Durability = batch % 3 == author.number % 3 ? .full : .relaxed
      let last = try await author.append(to: log, durability)
      if durability == .full { try author.promise(upTo: last, acknowledge) }
    }
    return author
  }
}

extension LogWorkload {
  /// The log must open with everything promised, and accept another record.
  static func loss(in root: Folder, after promises: [String]) async throws -> String? {
    let folder = try folder(in: root)
    let log = try await Log.open(at: folder)
    let finding = Finding(store: "\(log.store)", try notes(in: log))
    if let loss = finding.loss(after: promises.compactMap { Promise($0) }) { return loss }
    guard try await takesOneMore(log) else { return "takes no more" }
    await log.close()
    let names = try Folder(folder).names()
    return Set(names).isSubset(of: ["data.mdb", "lease", "lock.mdb"])
      ? nil : "left over: \(names)"
  }

  /// Reads all records with every check.
  private static func notes(in log: Log) throws -> [Note?] {
    try log.read { snapshot in
      var notes: [Note?] = []
      var cursor = try snapshot.records()
      while try cursor.next() {
        notes.append(Note(try PayloadFields(decoding: cursor.record.payload)))
      }
      return notes
    }
  }

  private static func takesOneMore(_ log: Log) async throws -> Bool {
    let before = try log.last
    var author = Author(authorCount)
    let number = try await author.append(to: log, .full)
    guard number > before else { return false }
    return try notes(in: log).dropFirst(Int(before.rawValue)).allSatisfy { note in
      note?.author == authorCount
    }
  }
}

extension [Author] {
  /// Lets every author promise its batches up to `last`.
  fileprivate mutating func promise(
    upTo last: RecordNumber, _ acknowledge: Acknowledgement
  ) throws {
    for index in indices { try self[index].promise(upTo: last, acknowledge) }
  }
}
