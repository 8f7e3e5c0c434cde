/// The records that a salvage recovered and those it lost.
public struct SalvageReport: Sendable, Hashable {
  /// The number of records that the file's tree led to.
  public internal(set) var recordsFromTree: UInt64 = 0
  /// The number of records found only by scanning every page.
  public internal(set) var recordsFromPages: UInt64 = 0
  /// The number of lost records, each replaced by one of kind ``EventKind/lost``.
  public internal(set) var lostCount: UInt64 = 0
  /// The first thousand ranges of lost records.
  public internal(set) var lost: [ClosedRange<RecordNumber>] = []
  /// Whether the entire baseline, if any, was recovered; its lost records have no numbers.
  public internal(set) var isBaselineWhole = true
  /// The last record of the new log, or its floor if it has none.
  public internal(set) var last = RecordNumber.zero
  /// The new log's store, which is the old one's if that was found.
  public internal(set) var store: StoreID
  /// Whether the store's own record was lost.
  ///
  /// The log then belongs to a new store with a new secret: it accepts no earlier position, the
  /// fingerprints of names differ from those in its records, and everything before the first record
  /// found counts as compacted.
  public internal(set) var isNewStore: Bool

  /// The maximum length of ``lost``.
  public static let lostMax = 1000

  /// The number of records in the new log with their original content.
  public var recordCount: UInt64 { recordsFromTree + recordsFromPages }

  mutating func lose(_ number: RecordNumber) {
    lostCount += 1
    if !lost.lengthen(by: number), lost.count < Self.lostMax { lost.append(number...number) }
  }
}

extension SalvageReport: CustomStringConvertible {
  /// A human-readable report of several lines.
  public var description: String {
    var lines = ["\(recordCount) records recovered, \(recordsFromPages) of them page by page"]
    if isNewStore { lines.append("- the store's own record was lost: this is a new store") }
    if !isBaselineWhole { lines.append("- records of the baseline were lost") }
    lines += lost.map { LogDamage.missing($0).description }.map { "- \($0): lost" }
    if lostCount > 0 { lines.append("\(lostCount) lost in all") }
    return lines.joined(separator: "\n")
  }

  /// The report as JSON text.
  public var json: String {
    JSONWriter.object { json in
      json.member("store", store.description)
      json.member("newStore", isNewStore)
      json.member("baselineWhole", isBaselineWhole)
      json.member("fromTree", recordsFromTree)
      json.member("fromPages", recordsFromPages)
      json.member("last", last.rawValue)
      json.member("lostCount", lostCount)
      json.member("lost", lost) { json, range in
        json.array { json in
          json.number(range.lowerBound.rawValue)
          json.number(range.upperBound.rawValue)
        }
      }
    }
  }
}
