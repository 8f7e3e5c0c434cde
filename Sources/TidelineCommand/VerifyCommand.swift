import EventStore
import Tideline

/// `tideline verify`: compares the views of inboxes with their log.
struct VerifyCommand: InboxCommand {
  static let usage = Usage(name: "verify", folders: ["FOLDER"], flags: ["--json"])
  static let help = """
    Rebuilds the views of the inboxes in FOLDER from the log and compares them. If they differ, the
    command reports what differs and, if it can tell, at which event they diverged; the exit status
    is then 1. Views that can't be used as they are, such as those of a copy, are rebuilt first; the
    command says so, as it can't tell whether they were right.

      --json   print the findings as a JSON object

    Example:
      tideline verify inbox || tideline bisect --help
    """

  let folder: String
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    isJSON = arguments.has("--json")
  }

  func run(in store: InboxStore) async throws -> ExitStatus {
    try await run(in: store, isRebuilt: false)
  }

  func run(in store: InboxStore, isRebuilt: Bool) async throws -> ExitStatus {
    let found = try await store.verifyWithProgress()
    let rest = isRebuilt ? [Self.rebuilt] : []
    try Output.show(
      [found.description] + rest, json: json(found, isRebuilt: isRebuilt), isJSON: isJSON)
    return found.isSound ? .done : .failed
  }

  /// What a comparison of views that were built just now doesn't tell.
  static let rebuilt = """
    The views were built from the log just now: this doesn't tell whether earlier ones were right.
    """

  private func json(_ found: Verification, isRebuilt: Bool) -> String {
    JSONWriter.object { json in
      json.member("sound", found.isSound)
      json.member("rebuilt", isRebuilt)
      json.member("number", found.number?.rawValue)
      json.member("findings", found.findingCount)
      json.member("wrong", found.findings.map { "\($0)" })
      guard let divergence = found.divergence else { return }
      json.member("behind", divergence.start.rawValue)
      json.member("before", divergence.end.rawValue)
      if let event = divergence.event { json.member("event", event.rawValue) }
    }
  }
}

extension InboxStore {
  /// Compares the views with the log, and shows the progress.
  func verifyWithProgress() async throws -> Verification {
    let log = try core.log
    let floor = log.floor
    let bar = ProgressBar("records", of: floor.distance(to: try log.last), on: .errors)
    let found = try await verify { progress in
      try? bar.show(floor.distance(to: progress.done))
      return true
    }
    try bar.end()
    return found
  }
}
