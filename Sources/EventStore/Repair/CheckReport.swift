public import LMDB

/// What a check of a log found: how much there is, and what is wrong with it.
public struct CheckReport: Sendable, Hashable {
  /// The folder.
  public let path: String
  /// The store, where its own record is whole.
  public internal(set) var store: StoreID?
  /// How often the log was rewritten, counted from 1.
  public internal(set) var generation: UInt64 = 0
  /// The last record that was compacted away.
  public internal(set) var floor = RecordNumber.zero
  /// The whole records, those whose payload was erased included.
  public internal(set) var recordCount: UInt64 = 0
  /// Those of the whole records whose payload was erased.
  public internal(set) var erasedCount: UInt64 = 0
  /// Those of the whole records that stand for one that was lost.
  public internal(set) var lostCount: UInt64 = 0
  /// Those of the whole records that are the baseline.
  public internal(set) var baselineCount: UInt64 = 0
  /// The bytes of their payloads.
  public internal(set) var payloadBytes: UInt64 = 0
  /// The first whole record.
  public internal(set) var first: RecordNumber?
  /// The last whole record.
  public internal(set) var last: RecordNumber?
  /// The first thousand things that are wrong with the entries, in the order of their numbers.
  public internal(set) var damage: [LogDamage] = []
  /// How many there are.
  public internal(set) var damageCount = 0
  /// The state of the pages beneath, and what is wrong with them.
  public internal(set) var pages: FileReport

  /// The most that ``damage`` holds.
  public static let damageMax = 1000

  /// Whether nothing is wrong.
  public var isSound: Bool { damageCount == 0 && pages.isSound }

  mutating func add(_ damage: LogDamage) {
    damageCount += 1
    if self.damage.count < Self.damageMax { self.damage.append(damage) }
  }
}

extension CheckReport: CustomStringConvertible {
  /// What there is and what is wrong, in lines for people.
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

  /// The same as a JSON text.
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
