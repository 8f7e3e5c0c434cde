public import LMDB

/// The result of verifying the views against the log that they are derived from.
public struct Verification: Sendable, Hashable {
  /// The record up to which both were compared; `nil` if it is unknown how far the views go.
  public internal(set) var number: RecordNumber?
  /// The first thousand findings.
  public private(set) var findings: [Finding] = []
  /// The total number of findings.
  public private(set) var findingCount = 0
  /// Where the views and the log diverged, as far as known.
  public internal(set) var divergence: Divergence?

  /// The maximum number of ``findings``.
  public static let findingsMax = 1000

  /// Creates a result without findings.
  init() {}

  /// Whether there are no findings.
  public var isSound: Bool { findingCount == 0 }

  mutating func add(_ finding: Finding) {
    findingCount += 1
    if findings.count < Self.findingsMax { findings.append(finding) }
  }

  /// A defect in the views.
  public enum Finding: Sendable, Hashable {
    /// A page of the views' file is damaged.
    case page(PageProblem)
    /// A value in the views' file differs from what was written.
    case value(table: String, key: UInt64)
    /// Parts of the views contradict each other or can't be read.
    case contradiction(String)
    /// The rows of a collection differ from those that the log produces.
    case collection(name: String, expected: Sum, found: Sum)
    /// The rows of a view, or their order, differ from those that the log produces.
    case view(name: String, expected: Sum, found: Sum)
  }

  /// A checksum of many rows.
  public struct Sum: Sendable, Hashable {
    /// The number of rows; a row counts once for each of its groups.
    public let count: UInt64
    /// The sum of their hashes.
    public let hash: UInt64

    /// A checksum of that many rows.
    public init(count: UInt64, hash: UInt64) {
      self.count = count
      self.hash = hash
    }
  }

  /// Where views and log diverged.
  ///
  /// It is a range of records, not always one frame, because marks of old frames are thinned out.
  public struct Divergence: Sendable, Hashable {
    /// The last record after which both are known to have been equal; 0 if there is none.
    public let start: RecordNumber
    /// The first record after which both are known to have differed.
    public let end: RecordNumber
    /// The first event that the views and the log report differently or, if they report all events
    /// alike, the first that changed something that differs now; `nil` if the journal doesn't reach
    /// back that far, a row that it reports can't be found, or both may have differed before the
    /// floor of a compacted log.
    public internal(set) var event: RecordNumber?
  }
}

extension Verification: CustomStringConvertible {
  /// The findings, as readable lines.
  public var description: String {
    let reach = number.map { "up to record \($0.rawValue)" } ?? "of unknown extent"
    let things = findingCount == 1 ? "thing is" : "things are"
    let state = isSound ? "sound" : "\(findingCount) \(things) wrong"
    var lines = ["The views \(reach): \(state)"]
    lines += findings.map { "- \($0)" }
    if findingCount > findings.count {
      lines.append("- and \(findingCount - findings.count) more")
    }
    if let divergence { lines.append("\(divergence)") }
    return lines.joined(separator: "\n")
  }
}

extension Verification.Finding: CustomStringConvertible {
  /// The defect, as a clause.
  public var description: String {
    switch self {
    case .page(let problem): "\(problem)"
    case .value(let table, let key): "the value of \(key) in \(table) is damaged"
    case .contradiction(let detail): detail
    case .collection(let name, let expected, let found):
      "the collection \(name) has \(found); the log gives \(expected)"
    case .view(let name, let expected, let found):
      "the view \(name) has \(found); the log gives \(expected)"
    }
  }
}

extension Verification.Sum: CustomStringConvertible {
  /// The count and the hash.
  public var description: String { "\(count) rows with hash \(String(hash, radix: 16))" }
}

extension Verification.Divergence: CustomStringConvertible {
  /// Where they diverged, as a sentence.
  public var description: String {
    let place = event.map { ", at event \($0.rawValue)" } ?? ""
    return "They diverged after record \(start.rawValue), by record \(end.rawValue)\(place)."
  }
}
