import EventStore
import Foundation
import LMDB

/// What is known of a search, as a file of JSON keeps it: in which log, for what, and between which
/// records.
struct KeptSearch: Codable {
  /// The log that is searched.
  let log: StoreID
  /// What is asked, as the command line has it.
  let asked: String
  /// Where it is not so.
  let start: RecordNumber
  /// Where it is so.
  let end: RecordNumber
  /// What was probed, in order.
  var probes: [Bisection.Probe] = []

  /// The search with what is known.
  var bisection: Bisection {
    var bisection = Bisection(after: start, through: end)
    for probe in probes { bisection.note(probe.number, isSo: probe.isSo) }
    return bisection
  }

  /// The search that a file keeps, if there is the file; it must be one of that log for that.
  static func read(_ path: String, of log: Log, for asked: String) throws -> KeptSearch? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let data = Data(try ByteStream.bytes(of: path))
    guard let search = try? JSONDecoder().decode(KeptSearch.self, from: data) else {
      throw mistake(path, "no search")
    }
    guard search.log == log.store else { throw mistake(path, "a search in another log") }
    guard search.asked == asked else { throw mistake(path, "a search for \(search.asked)") }
    guard try search.isPossible(in: log) else {
      throw mistake(path, "a search among records that are not there")
    }
    return search
  }

  /// Keeps it in a file.
  func write(to path: String) throws {
    try ByteStream.write([UInt8](JSONEncoder().encode(self)), to: path)
  }

  /// Whether the log has the records that it names.
  private func isPossible(in log: Log) throws -> Bool {
    guard log.floor <= start, start <= end, try end <= log.last else { return false }
    return probes.allSatisfy { start <= $0.number && $0.number <= end }
  }

  private static func mistake(_ path: String, _ what: String) -> Mistake {
    Mistake("tideline bisect: \(path) holds \(what). Name another file.")
  }
}
