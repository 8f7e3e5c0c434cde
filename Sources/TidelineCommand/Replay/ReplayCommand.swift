import EventStore
import LMDB
import Tideline
import TidelineReplay

/// A subcommand that looks at the past of a store of inboxes, or at a log alone.
protocol ReplayCommand: Subcommand {
  /// The folder of the store, or of its log.
  var folder: String { get }

  /// Runs the command with the log, which is closed afterwards.
  func run(in past: Past) async throws -> ExitStatus
}

extension ReplayCommand {
  func run() async throws -> ExitStatus {
    try await Interruption.ending { try await lookBack() }
  }

  /// Opens the log, and runs the command.
  func lookBack() async throws -> ExitStatus {
    try await Log.withLog(at: folder, readOnly: true) { log in
      OtherRules.say(of: folder)
      let past = try Past(log, in: folder, Self.usage.name)
      defer { past.snapshots?.close() }
      return try await Damage.status(of: log, in: folder, leavingOut: { past.journey.refused }) {
        try await run(in: past)
      }
    }
  }
}

/// A log to look back on, and its snapshots.
struct Past {
  let log: Log
  let snapshots: SnapshotFolder?
  /// The progress of the replays.
  let journey = Journey()
  let name: String

  /// The name of the folder with a store's snapshots.
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
      // Everything works without snapshots, but more slowly.
      if case .failed(let error) = error { throw error }
      if case .missing = error {
      } else {
        Output.complain("tideline: \(error) Run: tideline snapshots \(folder)")
      }
      snapshots = nil
    }
  }

  /// Returns the inboxes at a place.
  func inboxes(at text: String) throws -> InboxReplay { try inboxes(at: number(text)) }

  /// Returns the inboxes after a record; the progress is shown, and all later work with them can be
  /// interrupted.
  func inboxes(at number: RecordNumber) throws -> InboxReplay {
    defer { journey.end() }
    let inboxes = try InboxReplay(log, at: number, from: snapshots) { [journey] progress in
      journey.show(progress)
      return !Task.isCancelled
    }
    journey.replays.append(inboxes.replay)
    return inboxes
  }

  /// Runs `body`, which may take long; converts errors caused by the command line to mistakes.
  func asking<R>(_ body: () throws -> R) throws -> R {
    defer { journey.end() }
    do { return try body() } catch let error as InboxReplayError {
      throw Mistake("tideline \(name): \(error)")
    } catch let error as PastQuestion.Mistake {
      throw Mistake("tideline \(name): \(error)")
    }
  }

  /// Parses a question about a replay.
  func question(_ text: String, of replay: Replay) throws(PastQuestion.Mistake) -> PastQuestion {
    try PastQuestion(text, of: replay, moment: { Timestamp(text: $0) })
  }

  /// Returns a hint that a question that does not hold is about an id that never existed, such as
  /// one without its account; otherwise `nil`.
  static func unknown(to replay: Replay, _ question: PastQuestion) -> String? {
    guard let (collection, id) = question.unknownRow(to: replay) else { return nil }
    let isObject = ObjectWord.kinds.contains { $0.collection == collection }
    let remedy =
      isObject && ObjectWord("\(collection.name)/\(id)") == nil
      ? " Put the account in front, as in \(collection.name)(1/\(id))." : ""
    return "nothing in \(collection.name) has, or ever had, the id '\(id)' up to "
      + "#\(replay.position.number).\(remedy)"
  }
}
