import EventStore
import LMDB
import TestSupport

/// A log and a spool beside it, in a folder of their own.
struct SpoolFolder {
  let temporary: TemporaryFolder
  let log: Log
  let spool: Spool
  /// The spool's folder, to inspect and to tamper with.
  let folder: Folder

  init(seed: UInt64 = 1) async throws {
    temporary = try TemporaryFolder()
    log = try await Log.open(at: temporary.path)
    spool = try Spool(at: temporary.path(of: "spool"), random: SeededGenerator(seed: seed))
    folder = Folder(spool.path)
  }

  /// Writes one note for each text, a millisecond apart; returns the names of their files.
  @discardableResult
  func write(_ texts: [String]) throws -> [String] {
    try texts.enumerated().map { index, text in
      try spool.write(Event.note(at: Int64(index))) { $0.put(1, text) }
    }
  }

  /// The bytes of every file, by name.
  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try folder.names() { files[name] = try bytes(of: name) }
    return files
  }

  func bytes(of name: String) throws -> [UInt8] {
    let file = try File(folder.path(of: name), .read)
    return try file.bytes(at: 0, count: file.size())
  }

  /// Puts a file into the folder without the spool's knowledge.
  func put(_ bytes: [UInt8], as name: String) throws {
    try File(folder.path(of: name), .create).write(bytes)
  }
}

extension Event {
  /// Returns a note recorded `moment` milliseconds after a plain one.
  static func note(at moment: Int64) -> Event {
    var event = Event.note
    event.recordedAt = Timestamp(rawValue: event.recordedAt.rawValue + moment)
    return event
  }
}
