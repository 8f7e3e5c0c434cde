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
    for number in 1...6 {
      try spool.write(number: number)
      try acknowledge("\(number)")
      if number.isMultiple(of: 2) { _ = try awaited { try await log.drain(spool) } }
    }
    try awaited { await log.close() }
  }

  static func loss(in root: Folder, after promises: [String]) throws -> String? {
    try root.lossOfSpooled(promises)
  }
}
