import EventStore
import Foundation
import LMDB

/// The state of a search, stored in a JSON file: the log, the question, the range, and the probes.
struct KeptSearch: Codable {
  /// The log to search.
  let log: StoreID
  /// The question, as on the command line.
  let asked: String
  /// Where the condition fails.
  let start: RecordNumber
  /// Where the condition holds.
  let end: RecordNumber
  /// The probes, in order.
  var probes: [Bisection.Probe] = []

  /// The search, with the known results.
  var bisection: Bisection {
    var bisection = Bisection(after: start, through: end)
    for probe in probes { bisection.note(probe.number, isSo: probe.isSo) }
    return bisection
  }

  /// Returns the search in a file, if the file exists; throws unless it is of this log and
  /// question.
  static func read(_ path: String, of log: Log, for asked: String) throws -> KeptSearch? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let data = Data(try ByteStream.bytes(of: path))
    guard let search = try? JSONDecoder().decode(KeptSearch.self, from: data) else {
      throw mistake(path, "no search")
    }
    guard search.log == log.store else { throw mistake(path, "a search in another log") }
    guard search.asked == asked else { throw mistake(path, "a search for \(search.asked)") }
    guard try search.isPossible(in: log) else {
      throw mistake(path, "a search among records that the log lacks")
    }
    return search
  }

  /// Writes the search to a file.
  func write(to path: String) throws {
    try ByteStream.write([UInt8](JSONEncoder().encode(self)), to: path)
  }

  /// Whether the log has the named records.
  private func isPossible(in log: Log) throws -> Bool {
    guard log.floor <= start, start <= end, try end <= log.last else { return false }
    return probes.allSatisfy { start <= $0.number && $0.number <= end }
  }

  private static func mistake(_ path: String, _ what: String) -> Mistake {
    Mistake("tideline bisect: \(path) holds \(what). Name another file.")
  }
}
