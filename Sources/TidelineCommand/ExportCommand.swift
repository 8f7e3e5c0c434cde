import EventStore
import LMDB
import TidelineReplay

/// `tideline export`: writes a log as JSON lines.
struct ExportCommand: Subcommand {
  static let usage = Usage(
    name: "export", folders: ["FOLDER"], flags: ["--redact", "--pass-over-damage", "--json"],
    numbers: ["--from": 1...UInt64.max, "--limit": 4096...UInt64.max],
    texts: ["--to": "FILE", "--secret": "TEXT", "--keep": "TEXTS", "--words": "WORDS"])
  static let help = """
    Writes the log in FOLDER, or that of the store there, as lines of JSON: to standard output, or
    to a FILE that must not be there yet, and is removed where that fails. `tideline import` makes
    the same log of it again, with the same numbers and hashes. What is appended meanwhile is left
    out, and nothing is changed.

      --to FILE           writes to FILE, and says how much it was
      --redact            replaces every text by a pseudonym, of the same length and in the same
                          order, so that the log comes to the same lists without showing anything
      --secret TEXT       what pseudonyms are made with: the same makes the same (a new one); this
                          and the next two go with --redact
      --keep TEXTS        texts that stay as they are, with commas between them; the names of
                          well-known tags stay anyway
      --words WORDS       words that stay within bodies and snippets, with commas between them
      --from N            leaves out the records before record N
      --limit BYTES       leaves out the oldest records where it would be more
      --pass-over-damage  puts a record of kind 65535 in the place of one that is damaged
      --json              says how much it was as a JSON object; with --to

    Examples:
      tideline export inbox --to inbox.jsonl
      tideline export inbox --redact | gzip > inbox.jsonl.gz
      tideline export inbox --redact --keep work,family --limit 5000000 --to report.jsonl
    """

  private let folder: String
  private let file: String?
  private let isJSON: Bool
  /// The first redaction option that was given without `--redact`.
  private let strayOption: String?
  private var options = LogExport.Options()

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    file = arguments.text("--to")
    isJSON = arguments.has("--json")
    strayOption =
      arguments.has("--redact")
      ? nil : ["--secret", "--keep", "--words"].first { arguments.text($0) != nil }
    options.first = arguments.number("--from").map(RecordNumber.init(rawValue:))
    options.bytesMax = arguments.number("--limit").map { Int(clamping: $0) }
    options.passesOverDamage = arguments.has("--pass-over-damage")
    guard arguments.has("--redact") else { return }
    options.redaction = .inbox(
      secret: arguments.text("--secret") ?? LogReport.newSecret(),
      keeping: Self.words(arguments.text("--keep")),
      words: Self.words(arguments.text("--words")))
  }

  private static func words(_ text: String?) -> Set<String> {
    Set((text ?? "").split(separator: ",").map(String.init))
  }

  func check() throws(Mistake) {
    if isJSON, file == nil {
      throw Mistake("tideline export: --json goes with --to, as lines go to standard output.")
    }
    if let strayOption {
      throw Mistake("tideline export: \(strayOption) goes with --redact, which hides texts.")
    }
  }

  func run() async throws -> ExitStatus {
    try await Log.withLog(at: folder, readOnly: true) { log in
      try await Interruption.ending { try write(log) }
    }
  }

  private func write(_ log: Log) throws -> ExitStatus {
    let target = try FileTarget(file)
    do {
      return try write(log, to: target)
    } catch {
      target.discard()
      throw error
    }
  }

  private func write(_ log: Log, to target: FileTarget) throws -> ExitStatus {
    var export = try LogExport(log, options)
    let bar = ProgressBar("records", of: export.total, on: .errors)
    var bytes = 0
    while let part = try export.next() {
      try Task.checkCancellation()
      try target.write(part)
      bytes += part.count
      try bar.show(export.done)
    }
    try target.finish()
    guard file != nil else {
      let lost = Int(export.manifest.lost)
      if lost > 0 { Damage.complain(of: lost, in: folder) }
      return .done
    }
    try Output.show(
      [line(export.manifest, bytes)], json: json(export.manifest, bytes), isJSON: isJSON)
    return .done
  }

  private func line(_ manifest: ExportManifest, _ bytes: Int) -> String {
    let lost = manifest.lost > 0 ? ", \(manifest.lost) of them lost" : ""
    return "\(manifest.records) records up to \(manifest.last)\(lost), \(bytes) bytes, "
      + "chain \(manifest.chain.hexadecimal)"
  }

  private func json(_ manifest: ExportManifest, _ bytes: Int) -> String {
    JSONWriter.object { json in
      json.member("records", manifest.records)
      json.member("last", manifest.last.rawValue)
      json.member("lost", manifest.lost)
      json.member("bytes", bytes)
      json.member("chain", manifest.chain.hexadecimal)
      json.member("checksum", manifest.checksum.hexadecimal)
    }
  }
}
