import EventStore
import LMDB
import PowerLossSupport

/// Writes events to a spool and drains them, more than once; each is acknowledged when written.
@main
enum DrainWorkload: WorkloadProgram {
  static func run(in root: Folder, acknowledge: (String) throws -> Void) throws {
    let folder = root.folder("log")
    try folder.create()
    try root.flush()
    let log = try awaited { try await Log.open(at: folder.path) }
    let spool = try Spool(at: root.path(of: "spool"))
    // Several rounds follow one another, with no writer between who would flush the folder.
    var limits = SpoolDrain.Limits()
    limits.countMax = 2
    for number in 1...7 {
      try spool.write(number: number)
      try acknowledge("\(number)")
      guard number == 1 || number == 7 else { continue }
      _ = try awaited { [limits] in try await log.drain(spool, limits: limits) }
    }
    try awaited { await log.close() }
  }

  static func loss(in root: Folder, after promises: [String]) throws -> String? {
    try root.lossOfSpooled(promises)
  }
}
