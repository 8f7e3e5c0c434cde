/// What a salvage recovered, and what it did not.
public struct SalvageReport: Sendable, Hashable {
  /// Records that the file's tree led to.
  public internal(set) var recordsFromTree: UInt64 = 0
  /// Records that were found only by looking at every page.
  public internal(set) var recordsFromPages: UInt64 = 0
  /// Records that were lost, each with a record of kind ``EventKind/lost`` in its place.
  public internal(set) var lostCount: UInt64 = 0
  /// The first thousand ranges of those.
  public internal(set) var lost: [ClosedRange<RecordNumber>] = []
  /// Whether all of the baseline was recovered, where there is one; what is lost has no number.
  public internal(set) var isBaselineWhole = true
  /// The last record of the new log; its floor where it has none.
  public internal(set) var last = RecordNumber.zero
  /// The new log's store, which is the old one's, where that was found.
  public internal(set) var store: StoreID
  /// Whether the store's own record was lost.
  ///
  /// The log then belongs to a new store with a new secret: no position is held by it, the
  /// fingerprints of names differ from those in its records, and what came before the first record
  /// that was found counts as compacted.
  public internal(set) var isNewStore: Bool

  /// The most that ``lost`` holds.
  public static let lostMax = 1000

  /// Every record of the new log that holds what it held.
  public var recordCount: UInt64 { recordsFromTree + recordsFromPages }

  mutating func lose(_ number: RecordNumber) {
    lostCount += 1
    if !lost.lengthen(by: number), lost.count < Self.lostMax { lost.append(number...number) }
  }
}

extension SalvageReport: CustomStringConvertible {
  /// What was recovered and what was lost, in lines for people.
  public var description: String {
    var lines = ["\(recordCount) records recovered, \(recordsFromPages) of them page by page"]
    if isNewStore { lines.append("- the store's own record was lost: this is a new store") }
    if !isBaselineWhole { lines.append("- records of the baseline were lost") }
    lines += lost.map { LogDamage.missing($0).description }.map { "- \($0): lost" }
    if lostCount > 0 { lines.append("\(lostCount) lost in all") }
    return lines.joined(separator: "\n")
  }

  /// The same as a JSON text.
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
