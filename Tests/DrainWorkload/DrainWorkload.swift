import EventStore
import LMDB
import PowerLossSupport

/// Writes events to a spool and drains them, more than once; each is acknowledged when written,
/// and again, with the number of its record, when drained.
@main
enum DrainWorkload: WorkloadProgram {
  static func run(in root: Folder, acknowledge: @escaping Acknowledgement) async throws {
    let folder = root.folder("log")
    try folder.create()
    let log = try await Log.open(at: folder.path)
    let spool = try Spool(at: root.path(of: "spool"))
    for number in 1...6 {
      try spool.write(number: number)
      try acknowledge("\(number)")
      guard number.isMultiple(of: 2) else { continue }
      for record in try await log.drain(spool).records { try acknowledge("record \(record)") }
    }
    await log.close()
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
