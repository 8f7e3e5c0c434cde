import EventStore
import LMDB
import Tideline
import TidelineReplay

/// A subcommand that looks at the past of a store of inboxes, or at a log alone.
protocol ReplayCommand: Subcommand {
  /// The folder of the store, or of its log.
  var folder: String { get }
  /// Whether the command itself replays the log, which snapshots make faster.
  var usesSnapshots: Bool { get }

  /// Runs the command with the log, which is closed afterwards.
  func run(in past: Past) async throws -> ExitStatus
}

extension ReplayCommand {
  var usesSnapshots: Bool { true }

  func run() async throws -> ExitStatus {
    try await Interruption.ending { try await lookBack() }
  }

  /// Opens the log, and runs the command.
  func lookBack() async throws -> ExitStatus {
    try await Self.lookBack(on: folder, usesSnapshots: usesSnapshots) { try await run(in: $0) }
  }

  /// Opens the log in a folder for `body`, and then reports what the output lacks of it.
  static func lookBack(
    on folder: String, usesSnapshots: Bool, _ body: (Past) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    try await Log.withLog(at: folder, readOnly: true) { log in
      OtherRules.say(of: folder)
      let past = try Past(log, in: folder, Self.usage.name, usesSnapshots: usesSnapshots)
      defer { past.closeSnapshots() }
      return try await Damage.status(of: log, in: folder, leavingOut: { past.journey.refused }) {
        try await body(past)
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
  private let folder: String

  /// The name of the folder with a store's snapshots.
  static let snapshots: String = SnapshotFolder.name

  init(_ log: Log, in folder: String, _ name: String, usesSnapshots: Bool) throws {
    (self.log, self.name, self.folder) = (log, name, folder)
    snapshots = usesSnapshots ? try Self.openSnapshots(of: log, in: folder) : nil
  }

  /// Opens the snapshots in a store's folder; returns `nil` if there are none to use, and reports
  /// why.
  ///
  /// Everything works without snapshots, but more slowly.
  private static func openSnapshots(of log: Log, in folder: String) throws -> SnapshotFolder? {
    guard Folder(folder).contains(Self.snapshots) else { return nil }
    let path = "\(folder)/\(Self.snapshots)"
    do throws(SnapshotError) {
      return try SnapshotFolder(ofInboxes: log, at: path)
    } catch {
      switch error {
      case .missing: break
      case .busy: Output.complain("tideline: \(error)")
      case .foreign, .damaged:
        Output.complain("tideline: \(error) Run: tideline snapshots \(folder)")
      case .failed(.views(_, let detail)):
        Output.complain("tideline: The snapshots in \(path) are not used: \(detail)")
      case .failed(let error): throw error
      }
      return nil
    }
  }

  /// Closes the snapshots, and reports why they were not used to the end.
  func closeSnapshots() {
    if let snapshots, case .views(let path, let detail)? = snapshots.failure {
      Output.complain("tideline: The snapshots in \(path) were not used to the end: \(detail)")
    }
    snapshots?.close()
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

  /// Returns a hint that a question that does not hold is about an account that does not exist, or
  /// an id that never existed, such as one without its account; otherwise `nil`.
  func unknown(to replay: Replay, _ question: PastQuestion) throws -> String? {
    guard let (collection, id) = question.unknownRow(to: replay) else {
      return try question.list.flatMap { try missingAccount(of: $0, in: replay) }
    }
    let isObject = ObjectWord.kinds.contains { $0.collection == collection }
    let remedy =
      isObject && ObjectWord("\(collection.name)/\(id)") == nil
      ? " Put the account in front, as in \(collection.name)(1/\(id))." : ""
    return "nothing in \(collection.name) has, or ever had, the id '\(id)' up to "
      + "#\(replay.position.number).\(remedy)"
  }

  /// Returns a hint that the account of a list does not exist; otherwise `nil`.
  func missingAccount(of list: ListName, in replay: Replay) throws -> String? {
    let view = replay.viewDefinitions.first { $0.name == list.view }
    if view?.scope?.name == "account", let account = list.scope {
      return try missing(account, in: replay)
    }
    guard view?.grouping?.name == "account", case .number(let account)? = list.group else {
      return nil
    }
    return try missing(account, in: replay)
  }

  /// Returns a hint that an account does not exist; otherwise `nil`.
  func missing(_ account: Int64, in replay: Replay) throws -> String? {
    guard try replay.row("\(account)", in: Account.collection) == nil else { return nil }
    let number = replay.position.number
    return "account \(account) does not exist after #\(number). List the accounts with: "
      + "tideline at \(folder) \(number) --list accounts"
  }
}
