import EventStore
import LMDB
import PowerLossSupport

/// Writes events to a spool, and acknowledges each once its write returns.
@main
enum SpoolWorkload: WorkloadProgram {
  static func run(in root: Folder, acknowledge: @escaping Acknowledgement) throws {
    let spool = try Spool(at: root.path(of: "spool"))
    for number in 1...12 {
      try spool.write(number: number)
      try acknowledge("\(number)")
    }
  }

  static func loss(in root: Folder, after promises: [String]) async throws -> String? {
    try await root.lossOfSpooled(promises)
  }
}
