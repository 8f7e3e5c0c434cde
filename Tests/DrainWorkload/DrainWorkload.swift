import EventStore
import LMDB
import PowerLossSupport

/// Writes events to a spool and drains them more than once.
///
/// Each event is acknowledged when written, and again, with its record's number, when drained.
@main
enum DrainWorkload: WorkloadProgram {
  static func run(in root: Folder, acknowledge: @escaping Acknowledgement) async throws {
    let folder = root.folder("log")
    try folder.create()
    // LogWorkload judges the promises made by opening the log.
    try acknowledge(Trace.unjudgedLine)
    let log = try await Log.open(at: folder.path)
    try acknowledge(Trace.judgedLine)
    let spool = try Spool(at: root.path(of: "spool"))
    for number in 1...7 {
      try spool.write(number: number)
      try acknowledge("\(number)")
      if number == 1 || number == 7 { try await drain(spool, into: log, acknowledge) }
    }
    await log.close()
  }

  /// Drains in several rounds, with no writer in between that would flush the folder.
  ///
  /// The first and the last round flush it in case another process dies in between. Otherwise the
  /// flush of the next write comes early enough, so these flushes are not judged.
  private static func drain(
    _ spool: Spool, into log: Log, _ acknowledge: Acknowledgement
  ) async throws {
    var limits = SpoolDrain.Limits()
    limits.countMax = 2
    try acknowledge(Trace.unjudgedLine)
    for record in try await log.drain(spool, limits: limits).records {
      try acknowledge("record \(record)")
    }
    try acknowledge(Trace.judgedLine)
  }

  static func loss(in root: Folder, after promises: [String]) async throws -> String? {
    let isRecord = { (promise: String) in promise.hasPrefix("record ") }
    let records = promises.filter(isRecord)
    if !records.isEmpty {
      let log = try await Log.open(at: root.path(of: "log"))
      let last = try log.last
      await log.close()
      guard last.rawValue >= records.count else { return "\(last) of \(records.count) records" }
    }
    return try await root.lossOfSpooled(promises.filter { !isRecord($0) })
  }
}
