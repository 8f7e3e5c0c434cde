import EventStore
import LMDB
import Tideline
import TidelineReplay

/// What the command does with the past of a store of inboxes, or with a log alone.
protocol ReplayCommand: Subcommand {
  /// The folder of the store, or of its log.
  var folder: String { get }

  /// Does it with the log, which is closed afterwards.
  func run(in past: Past) async throws -> ExitStatus
}

extension ReplayCommand {
  func run() async throws -> ExitStatus {
    try await Interruption.ending { try await lookBack() }
  }

  /// Opens the log, and does it.
  func lookBack() async throws -> ExitStatus {
    try await Log.withLog(at: folder, readOnly: true) { log in
      let past = try Past(log, in: folder, Self.usage.name)
      defer { past.snapshots?.close() }
      return try await run(in: past)
    }
  }
}

/// A log that is looked back on, and the snapshots that there are of it.
struct Past {
  let log: Log
  let snapshots: SnapshotFolder?
  private let name: String

  /// Where a store's snapshots are.
  static let snapshots: String = SnapshotFolder.name

  init(_ log: Log, in folder: String, _ name: String) throws {
    (self.log, self.name) = (log, name)
    guard Folder(folder).contains(Self.snapshots) else {
      snapshots = nil
      return
    }
    do throws(SnapshotError) {
      snapshots = try SnapshotFolder(ofInboxes: log, at: "\(folder)/\(Self.snapshots)")
    } catch {
      // Everything goes without them, and takes longer.
      if case .failed(let error) = error { throw error }
      if case .missing = error {} else { Output.complain("tideline: \(error)") }
      snapshots = nil
    }
  }

  /// The record that a place is behind; what is not plain about it is said.
  ///
  /// Throws ``Mistake`` for a text that names none.
  func number(_ text: String) throws -> RecordNumber {
    guard let place = LogPlace(text, moment: { Timestamp(text: $0) }) else {
      throw Mistake(
        "tideline \(name): '\(text)' is neither a record's number nor a time. Name a place as "
          + "1200, -5, 2026-11-20T09:30:00Z, -1h, start or end."
      )
    }
    let found = try log.find(place, now: .now)
    if let remark = found.remark { Output.complain("tideline: \(remark)") }
    return found.number
  }

  /// The inboxes at a place.
  func inboxes(at text: String) throws -> InboxReplay { try inboxes(at: number(text)) }

  /// The inboxes behind a record; how far that has come is shown, and all that is done with them
  /// can be interrupted.
  func inboxes(at number: RecordNumber) throws -> InboxReplay {
    let start = snapshots?.start(upTo: number) ?? log.floor
    let bar = ProgressBar("records", of: start.distance(to: number), on: .errors)
    let inboxes = try InboxReplay(log, at: number, from: snapshots) { progress in
      try? bar.show(start.distance(to: progress.done))
      return !Task.isCancelled
    }
    try bar.end()
    return inboxes
  }

  /// Whatever `body` throws that the command line is to blame for, as a mistake.
  func asking<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as InboxReplayError {
      throw Mistake("tideline \(name): \(error)")
    } catch let error as PastQuestion.Mistake {
      throw Mistake("tideline \(name): \(error)")
    }
  }
}

/// An object as a command line names it: `threads/1/t1`.
struct ObjectWord {
  let objectClass: ObjectClass
  let account: UInt32
  let id: String
  let collection: RowCollection

  /// The object that a word names among what a store keeps.
  init?(_ word: String) {
    let parts = word.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let account = UInt32(parts[1]) else { return nil }
    let kinds = ObjectClass.allCases.compactMap { known in ObjectKind.of(known).map { (known, $0) }
    }
    guard let (known, kind) = kinds.first(where: { $0.1.collection.name == parts[0] }) else {
      return nil
    }
    (objectClass, collection) = (known, kind.collection)
    (self.account, id) = (account, String(parts[2]))
  }

  /// What it is called in rows.
  var rowID: String { "\(account)/\(id)" }

  /// The object that a word names, or what is wrong with the word.
  static func named(_ word: String, for name: String) throws(Mistake) -> ObjectWord {
    guard let object = ObjectWord(word) else {
      throw Mistake("tideline \(name): '\(word)' is no object. Name one as in threads/1/t1.")
    }
    return object
  }
}
