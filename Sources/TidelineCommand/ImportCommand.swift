import EventStore
import LMDB

/// `tideline import`: creates a log from JSON lines.
struct ImportCommand: Subcommand {
  static let usage = Usage(
    name: "import", folders: ["FILE", "NEWFOLDER"], flags: ["--inbox", "--json"])
  static let help = """
    Creates a log in NEWFOLDER, which must not hold one, from a FILE that `tideline export` wrote,
    or from standard input if FILE is a hyphen. The new log has the same records with the same
    numbers and hashes. If the file is damaged, cut off, or not an export, the command reports the
    line and the reason, and leaves nothing in NEWFOLDER.

      --inbox   create a store of inboxes, for `tideline list` and similar commands
      --json    report how much was imported as a JSON object

    Examples:
      tideline import report.jsonl report && tideline log report
      gunzip -c inbox.jsonl.gz | tideline import - inbox --inbox
    """

  private let file: String
  private let folder: String
  private let isStore: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    (file, folder) = (arguments.folders[0], arguments.folders[1])
    (isStore, isJSON) = (arguments.has("--inbox"), arguments.has("--json"))
  }

  func run() async throws -> ExitStatus {
    try await Interruption.ending { try read() }
  }

  private func read() throws -> ExitStatus {
    let source = try FileSource(file)
    // Its records would be hidden behind those of the store.
    if isStore, Folder(folder).holdsData { throw LogError.occupied(path: folder) }
    let target = isStore ? Folder(folder).ofLog : Folder(folder)
    let new = [Folder(folder), target].first { !$0.contains(".") }
    try Folder(folder).make()
    if isStore { try target.make() }
    let report: ImportReport
    do {
      report = try make(of: source, in: target.path)
    } catch {
      try? new?.removeWithFiles()
      throw error
    }
    try Output.show([line(report)], json: json(report), isJSON: isJSON)
    return .done
  }

  private func make(of source: FileSource, in path: String) throws -> ImportReport {
    let bar = source.total.map { ProgressBar("bytes", of: $0, on: .errors) }
    return try Log.importing(into: path) {
      try Task.checkCancellation()
      let bytes = try source.next()
      try bar?.show(source.done)
      return bytes
    }
  }

  private func line(_ report: ImportReport) -> String {
    let what = report.isRedacted ? "redacted records" : "records"
    return "\(report.manifest.records) \(what) up to \(report.manifest.last), "
      + "chain \(report.manifest.chain.hexadecimal)"
  }

  private func json(_ report: ImportReport) -> String {
    JSONWriter.object { json in
      json.member("records", report.manifest.records)
      json.member("last", report.manifest.last.rawValue)
      json.member("lost", report.manifest.lost)
      json.member("chain", report.manifest.chain.hexadecimal)
      json.member("store", "\(report.store)")
      json.member("redacted", report.isRedacted)
    }
  }
}
