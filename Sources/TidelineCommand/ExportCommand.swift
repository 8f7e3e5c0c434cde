import EventStore
import Foundation
import LMDB
import Tideline
import TidelineReplay

/// `tideline export`: writes a log as JSON lines.
struct ExportCommand: Subcommand {
  static let usage = Usage(
    name: "export", folders: ["FOLDER"], flags: ["--redact", "--pass-over-damage", "--json"],
    numbers: ["--from": 1...UInt64.max, "--limit": 4096...UInt64.max],
    texts: ["--to": "FILE", "--secret": "TEXT", "--keep": "TEXTS", "--words": "WORDS"])
  static let help = """
    Exports the log in FOLDER, or that of the store there, as lines of JSON: to standard output, or
    to a FILE that must not exist and is removed if the export fails. `tideline import` recreates
    the same log from it, with the same numbers and hashes. Records appended during the export are
    left out. Nothing in FOLDER changes.

      --to FILE           write to FILE, and report how much was written
      --redact            replace every text with a pseudonym of the same length that sorts the same
                          way, so that the log produces the same lists without revealing anything
      --secret TEXT       derive the pseudonyms from TEXT: the same secret gives the same pseudonyms
                          (default: a new secret); this and the next two options need --redact
      --keep TEXTS        keep these texts, separated by commas, as they are; the names of
                          well-known tags are always kept
      --words WORDS       keep these words, separated by commas, within bodies and snippets
      --from N            leave out the records before record N, except those about accounts: lists
                          come to what the rest tells
      --limit BYTES       leave out the oldest records if the export would exceed BYTES, likewise
      --pass-over-damage  put a record of kind 65535 in the place of each damaged one
      --json              with --to: report as a JSON object

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
    options.remembers = \.tellsOfAccounts
    options.passesOverDamage = arguments.has("--pass-over-damage")
    options.mayGoOn = { !Task.isCancelled }
    guard arguments.has("--redact") else { return }
    options.redaction = .inbox(
      secret: arguments.text("--secret") ?? LogReport.newSecret(),
      keeping: Self.words(arguments.text("--keep")),
      words: Self.words(arguments.text("--words")))
  }

  private static func words(_ text: String?) -> Set<String> {
    let words = (text ?? "").split(separator: ",").map { word in
      word.trimmingCharacters(in: .whitespaces)
    }
    return Set(words).subtracting([""])
  }

  func check() throws(Mistake) {
    if isJSON, file == nil {
      throw Mistake("tideline export: --json needs --to, as lines go to standard output.")
    }
    if let strayOption {
      throw Mistake("tideline export: \(strayOption) needs --redact, which hides texts.")
    }
  }

  func run() async throws -> ExitStatus {
    try await Log.withLog(at: folder, readOnly: true) { log in
      try await Interruption.ending { try write(log) }
    }
  }

  private func write(_ log: Log) throws -> ExitStatus {
    let target = try FileTarget(file)
    let written: (manifest: ExportManifest, bytes: Int)
    do {
      written = try write(log, to: target)
    } catch {
      target.discard()
      throw error
    }
    try report(written.manifest, written.bytes)
    return .done
  }

  private func write(
    _ log: Log, to target: FileTarget
  ) throws -> (manifest: ExportManifest, bytes: Int) {
    var export = try LogExport(log, options)
    let bar = ProgressBar("records", of: export.total, on: .errors)
    var bytes = 0
    while let part = try export.next() {
      try Task.checkCancellation()
      try target.write(part)
      bytes += part.count
      try bar.show(export.done)
    }
    try Task.checkCancellation()
    try target.finish()
    return (export.manifest, bytes)
  }

  /// Reports a complete export, which stays even if nobody can be told.
  private func report(_ manifest: ExportManifest, _ bytes: Int) throws {
    if file != nil {
      try Output.show([line(manifest, bytes)], json: json(manifest, bytes), isJSON: isJSON)
    } else if manifest.lost > 0 {
      Damage.complain(of: Int(manifest.lost), in: folder)
    }
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
