public import LMDB

/// The result of checking a log: its size and its damage.
public struct CheckReport: Sendable, Hashable {
  /// The folder's path.
  public let path: String
  /// The store, if its own record is intact.
  public internal(set) var store: StoreID?
  /// The log's generation, which is 1 at first and grows with each rewrite.
  public internal(set) var generation: UInt64 = 0
  /// The last record removed by compaction.
  public internal(set) var floor = RecordNumber.zero
  /// The number of intact records, including those with an erased payload.
  public internal(set) var recordCount: UInt64 = 0
  /// The number of intact records whose payload was erased.
  public internal(set) var erasedCount: UInt64 = 0
  /// The number of intact records that stand in for lost ones.
  public internal(set) var lostCount: UInt64 = 0
  /// The number of intact records in the baseline.
  public internal(set) var baselineCount: UInt64 = 0
  /// The total bytes of their payloads.
  public internal(set) var payloadBytes: UInt64 = 0
  /// The first intact record.
  public internal(set) var first: RecordNumber?
  /// The last intact record.
  public internal(set) var last: RecordNumber?
  /// The first thousand damaged entries, in the order of their numbers.
  public internal(set) var damage: [LogDamage] = []
  /// The number of damaged entries.
  public internal(set) var damageCount = 0
  /// The state of the underlying pages and their problems.
  public internal(set) var pages: FileReport

  /// The maximum length of ``damage``.
  public static let damageMax = 1000

  /// Whether the log is undamaged.
  public var isSound: Bool { damageCount == 0 && pages.isSound }

  mutating func add(_ damage: LogDamage) {
    damageCount += 1
    if self.damage.count < Self.damageMax { self.damage.append(damage) }
  }
}

extension CheckReport: CustomStringConvertible {
  /// A human-readable report of several lines.
  public var description: String {
    var lines = [summary]
    lines += damage.map { "- \($0)" }
    if damageCount > damage.count { lines.append("- and \(damageCount - damage.count) more") }
    lines += pages.problems.map { "- \($0)" }
    let unnamed = pages.problemCount - pages.problems.count
    if unnamed > 0 { lines.append("- and \(unnamed) more pages") }
    return lines.joined(separator: "\n")
  }

  private var summary: String {
    let numbers = if let first, let last { ", numbers \(first) to \(last)" } else { "" }
    let wrong = damageCount + pages.problemCount
    let state = isSound ? "sound" : "\(wrong) \(wrong == 1 ? "thing is" : "things are") wrong"
    let lost = lostCount > 0 ? ", \(lostCount) of them lost" : ""
    return "\(path): \(recordCount) records\(lost)\(numbers), \(pages.size) bytes; \(state)"
  }

  /// The report as JSON text.
  public var json: String {
    JSONWriter.object { json in
      json.member("path", path)
      json.member("sound", isSound)
      json.member("store", store?.description)
      json.counts(of: self)
      json.member("damage", damage) { $0.damage($1) }
      json.member("pageProblems", pages.problems) { $0.problem($1) }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func counts(of report: CheckReport) {
    let counts: [(String, UInt64)] = [
      ("generation", report.generation), ("floor", report.floor.rawValue),
      ("first", report.first?.rawValue ?? 0), ("last", report.last?.rawValue ?? 0),
      ("records", report.recordCount), ("erased", report.erasedCount),
      ("lost", report.lostCount), ("baseline", report.baselineCount),
      ("payloadBytes", report.payloadBytes),
      ("fileBytes", UInt64(report.pages.size)), ("damageCount", UInt64(report.damageCount)),
      ("pageProblemCount", UInt64(report.pages.problemCount)),
    ]
    for (label, count) in counts { member(label, count) }
  }

  fileprivate mutating func problem(_ problem: PageProblem) {
    object { json in
      json.member("page", problem.page)
      json.member("what", problem.description)
    }
  }
}
