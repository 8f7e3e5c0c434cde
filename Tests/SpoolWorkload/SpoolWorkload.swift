import LMDB
import PowerLossSupport

/// Puts each record into a file of its own: written, flushed, renamed, and the folder flushed.
@main
enum SpoolWorkload: WorkloadProgram {
  private static let count = 12

  private static func text(_ number: String) -> [UInt8] {
    Array(repeatElement("\(number), ", count: 900).joined().utf8)
  }

  static func run(in root: Folder, acknowledge: (String) throws -> Void) throws {
    let spool = root.folder("spool")
    try spool.create()
    try root.flush()
    for number in (1...count).map(String.init) {
      let file = try File(spool.path(of: "\(number).new"), .create)
      try file.write(text(number))
      try file.flush()
      try spool.rename("\(number).new", to: number)
      try spool.flush()
      try acknowledge(number)
    }
  }

  static func loss(in root: Folder, after promises: [String]) throws -> String? {
    guard root.contains("spool") else { return promises.isEmpty ? nil : "no spool" }
    let spool = root.folder("spool")
    let names = try spool.names().filter { !$0.hasSuffix(".new") }
    let missing = Set(promises).subtracting(names)
    if !missing.isEmpty { return "\(missing.sorted()) missing" }
    for name in names {
      let file = try File(spool.path(of: name), .read)
      if try file.bytes(at: 0, count: file.size()) != text(name) { return "\(name) damaged" }
    }
    return nil
  }
}
