import EventStore
import Foundation
import LMDB
import Tideline

/// The state of a search, stored in a JSON file: the log, the question, the range, and the probes.
struct KeptSearch: Codable {
  /// The question, as on the command line.
  let asked: String
  /// Where the condition fails, in the log to search.
  let start: Position
  /// Where the condition holds, in the same log.
  let end: Position
  /// The version of the rules that the answers follow.
  private let rules: Int
  /// The number of erasures of payloads before the answers.
  private let erasures: UInt64
  /// The probes, in order.
  var probes: [Bisection.Probe] = []

  /// Creates a search between two records of a log.
  ///
  /// - Throws: `LogError`, as `Log.position(at:)` does.
  init(
    of log: Log, for asked: String, from start: RecordNumber, to end: RecordNumber
  ) async throws {
    self.asked = asked
    self.start = try await log.position(at: start)
    self.end = try await log.position(at: end)
    (rules, erasures) = (InboxReducer().version, try log.read { $0.erasureCount })
  }

  /// The search, with the known results.
  var bisection: Bisection {
    var bisection = Bisection(after: start.number, through: end.number)
    for probe in probes { bisection.note(probe.number, isSo: probe.isSo) }
    return bisection
  }

  /// Returns the search in a file, if the file exists; throws unless it is of this log and
  /// question, and its answers still hold.
  static func read(_ path: String, of log: Log, for asked: String) throws -> KeptSearch? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let data = Data(try ByteStream.bytes(of: path))
    guard let search = try? JSONDecoder().decode(KeptSearch.self, from: data) else {
      throw mistake(path, "no search")
    }
    if let reason = try search.reasonAgainst(log, asked) { throw mistake(path, reason) }
    return search
  }

  /// Writes the search to a file.
  func write(to path: String) throws {
    try ByteStream.write([UInt8](JSONEncoder().encode(self)), to: path)
  }

  /// Returns what the search is instead of one for a question in a log; `nil` if it is one.
  private func reasonAgainst(_ log: Log, _ asked: String) throws -> String? {
    guard start.store == log.store else { return "a search in another log" }
    guard asked == self.asked else { return "a search for \(self.asked)" }
    guard try isPossible(in: log) else { return "a search among records that the log lacks" }
    // Logs that were redacted with one secret have the same identity, and so have copies.
    guard try log.holds(start), try log.holds(end) else { return "a search in another log" }
    guard try erasures == log.read({ $0.erasureCount }) else {
      return "a search in the log before an erasure"
    }
    return rules == InboxReducer().version ? nil : "a search by another version's rules"
  }

  /// Whether the log has the named records.
  private func isPossible(in log: Log) throws -> Bool {
    let (start, end) = (start.number, end.number)
    guard log.floor <= start, start <= end, try end <= log.last else { return false }
    return probes.allSatisfy { start <= $0.number && $0.number <= end }
  }

  private static func mistake(_ path: String, _ what: String) -> Mistake {
    Mistake("tideline bisect: \(path) holds \(what). Name another file.")
  }
}
