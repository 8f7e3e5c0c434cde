import EventStore
import LMDB
import TidelineReplay

/// `tideline snapshots`: makes snapshots that speed up looking back.
struct SnapshotsCommand: Subcommand {
  static let usage = Usage(
    name: "snapshots", folders: ["FOLDER"], flags: ["--json"],
    numbers: ["--count": 1...1000, "--megabytes": 1...1 << 20])
  static let help = """
    Makes snapshots of the store in FOLDER, from which at, step, diff, bisect, blame and what-if
    resume instead of replaying from the start. FOLDER/snapshots holds them, and can be deleted
    whenever none of these commands runs. They cover all current records, replace earlier snapshots,
    and are at least 1024 records apart: a shorter log gets none, and needs none.

      --count N      make at most N snapshots (default 128)
      --megabytes N  their largest total size (default: the size of the views)
      --json         print a JSON object

    Example:
      tideline snapshots inbox --megabytes 200
    """

  private let folder: String
  private let isJSON: Bool
  private let count: UInt64?
  private let megabytes: UInt64?

  init(_ arguments: Arguments) {
    folder = arguments.folders.first ?? ""
    isJSON = arguments.has("--json")
    (count, megabytes) = (arguments.number("--count"), arguments.number("--megabytes"))
  }

  func run() async throws -> ExitStatus {
    try await Interruption.ending {
      try await Log.withLog(at: folder, readOnly: true) { try run($0) }
    }
  }

  private func run(_ log: Log) throws -> ExitStatus {
    var limits = SnapshotLimits()
    if let count { limits.countMax = Int(count) }
    if let bytes = megabytes.map({ Int($0) << 20 }) ?? viewsByteCount { limits.bytesMax = bytes }
    let path = "\(folder)/\(Past.snapshots)"
    let floor = log.floor
    let bar = ProgressBar("records", of: floor.distance(to: try log.last), on: .errors)
    do throws(SnapshotError) {
      try SnapshotFolder.makeOfInboxes(log, at: path, limits: limits) { progress in
        try? bar.show(floor.distance(to: progress.done))
        return !Task.isCancelled
      }
    } catch {
      if case .failed(.cancelled) = error { throw CancellationError() }
      throw error
    }
    try bar.end()
    let snapshots = try SnapshotFolder(ofInboxes: log, at: path)
    defer { snapshots.close() }
    let (numbers, bytes) = (snapshots.numbers, snapshots.byteCount)
    let json = JSONWriter.object { json in
      json.member("numbers", numbers) { $0.number($1.rawValue) }
      json.member("bytes", bytes)
    }
    let all = numbers.count == 1 ? "1 snapshot" : "\(numbers.count) snapshots"
    let made = numbers.last.map { "\(all), up to #\($0), \(bytes) bytes" }
    let records = floor.distance(to: try log.last)
    let none =
      "no snapshots: they are at least \(limits.spacingMin) records apart, and the log has "
      + "\(records), which replay as fast without"
    try Output.show([made ?? none], json: json, isJSON: isJSON)
    return .done
  }

  /// The size of the views in bytes, if there are any.
  private var viewsByteCount: Int? {
    let views = Folder("\(folder)/views")
    let sizes = ((try? views.names()) ?? []).compactMap { name in
      (try? views.folder(name).status(of: Environment.dataFile))?.size
    }
    return sizes.max()
  }
}
