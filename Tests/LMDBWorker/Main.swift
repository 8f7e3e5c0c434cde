import Foundation
import LMDB
import Synchronization

/// A process for the tests of `LMDB`: it prints "ready", performs its command until its input ends
/// or it is killed, and prints the result.
@main
struct LMDBWorker {
  let environment: Environment
  let table: Table<UInt64, [UInt8]>

  static func main() {
    do throws(LMDBError) {
      let arguments = CommandLine.arguments
      try run(arguments[1], arguments[2], arguments.dropFirst(3))
    } catch {
      say("\(error.code)")
    }
  }

  static func run(
    _ command: String, _ path: String, _ arguments: ArraySlice<String>
  ) throws(LMDBError) {
    if command == "open" { return try open(path, as: arguments.first) }
    let worker = try LMDBWorker(path)
    switch command {
    case "read": try worker.read()
    case "readRepeatedly": try worker.readRepeatedly()
    case "holdReaders": try worker.holdReaders(Int(arguments.first ?? "") ?? 1)
    case "holdWriter": try worker.holdWriter()
    case "fill": try worker.fill(Int(arguments.first ?? "") ?? 1)
    case "followWithoutRoom": try worker.followWithoutRoom()
    case "copy": try worker.copy(to: arguments.first ?? "")
    default: say("unknown")
    }
  }

  init(_ path: String) throws(LMDBError) {
    environment = try Environment(at: path)
    table = try environment.table("records")
  }

  /// Opens and closes the environment, as another user if one is named.
  static func open(_ path: String, as user: String?) throws(LMDBError) {
    if let user, let number = UInt32(user), setuid(number) != 0 { return say("no such user") }
    for _ in 0..<100 {
      let environment = try Environment(at: path)
      let table: Table<UInt64, [UInt8]> = try environment.table("records")
      _ = try environment.writeCount(of: table)
      environment.close()
    }
    say("opened")
  }

  /// Holds a read transaction.
  func read() throws(LMDBError) {
    let transaction = try environment.beginReading()
    say("ready")
    waitForEnd()
    say("\(try transaction.count(of: table))")
  }

  /// Holds `count` read transactions at once.
  func holdReaders(_ count: Int) throws(LMDBError) {
    let transaction = try environment.beginReading()
    guard count > 1 else {
      say("ready")
      return waitForEnd()
    }
    try holdReaders(count - 1)
    _ = transaction.id
  }

  /// Reads repeatedly; record 0 holds the number of the other records.
  ///
  /// Says whether it read, how often the two differed, and whether the map holds all pages: how
  /// large it is depends on how far the writer was whenever the map was adopted.
  func readRepeatedly() throws(LMDBError) {
    say("ready")
    let hasEnded = Ending()
    var (reads, torn) = (0, 0)
    var isLast = false
    while !isLast {
      isLast = hasEnded.flag.load(ordering: .relaxed)
      let (count, said) = try counts()
      reads += 1
      if count != said + 1 { torn += 1 }
    }
    let now = try environment.information
    say("\(reads > 0) \(torn) \(now.mapSize >= now.pages * now.pageSize)")
  }

  private func counts() throws(LMDBError) -> (Int, Int) {
    let transaction = try environment.beginReading()
    let said = String(decoding: try transaction.value(for: 0, in: table) ?? [], as: UTF8.self)
    return (try transaction.count(of: table), Int(said) ?? -1)
  }

  /// Writes without ever committing.
  func holdWriter() throws(LMDBError) {
    var transaction = try environment.beginWriting()
    try transaction.removeAll(from: table)
    for key in 1..<100 as Range<UInt64> {
      try transaction.put([1, 2, 3], for: key, in: table, .append)
    }
    say("ready")
    waitForEnd()
  }

  /// Appends that many megabytes; record 0 always holds the number of records.
  func fill(_ megabytes: Int) throws(LMDBError) {
    let value = [UInt8](repeating: 7, count: 1 << 16)
    for _ in 0..<megabytes {
      try environment.write(.none) { transaction throws(LMDBError) in
        let count = try transaction.count(of: table)
        for key in count..<count + 16 {
          try transaction.put(value, for: UInt64(key), in: table, .append)
        }
        try transaction.put(Array("\(count + 15)".utf8), for: 0, in: table)
      }
    }
    try say("\(environment.information.mapSize)")
  }

  /// Reads what another process wrote past the map, first without address space for more, then with
  /// it.
  func followWithoutRoom() throws(LMDBError) {
    #if os(Linux)
      say("ready")
      waitForEnd()
      let addresses = __rlimit_resource_t(RLIMIT_AS.rawValue)
      var (before, now) = (rlimit(), rlimit())
      unsafe getrlimit(addresses, &before)
      (now.rlim_max, now.rlim_cur) = (before.rlim_max, rlim_t(Self.pagesInUse * 4096 + 16 << 20))
      unsafe setrlimit(addresses, &now)
      var code: LMDBError.Code?
      do throws(LMDBError) { _ = try counts() } catch { code = error.code }
      unsafe setrlimit(addresses, &before)
      let transaction = try environment.beginReading()
      try say("\(code.map { "\($0)" } ?? "none") \(transaction.count(of: table))")
    #endif
  }

  /// The number of address space pages of this process.
  private static var pagesInUse: Int {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return text?.split(separator: " ").first.flatMap { Int($0) } ?? 0
  }

  /// Copies the environment.
  func copy(to folder: String) throws(LMDBError) {
    say("ready")
    try environment.copy(to: folder)
    say("copied")
  }

  private func waitForEnd() { while readLine() != nil {} }
}

/// Prints a line to the test immediately.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Whether the input has ended.
final class Ending: Sendable {
  let flag = Atomic(false)

  init() {
    Thread.detachNewThread {
      while readLine() != nil {}
      self.flag.store(true, ordering: .relaxed)
    }
  }
}

extension Environment {
  /// Counts a table's records in a write transaction, so that opening and locking overlap.
  fileprivate func writeCount(of table: Table<UInt64, [UInt8]>) throws(LMDBError) -> Int {
    try write(.none) { transaction throws(LMDBError) in try transaction.count(of: table) }
  }
}
