public import LMDB

/// What came of holding the views to the log that they are made of.
public struct Verification: Sendable, Hashable {
  /// The record up to which both were compared; `nil` where it can't be told how far the views go.
  public internal(set) var number: RecordNumber?
  /// The first thousand things that are wrong.
  public private(set) var findings: [Finding] = []
  /// How many there are.
  public private(set) var findingCount = 0
  /// Where the views and the log parted, as far as is known.
  public internal(set) var divergence: Divergence?

  /// The most that ``findings`` holds.
  public static let findingsMax = 1000

  /// Nothing is wrong yet.
  init() {}

  /// Whether nothing is wrong.
  public var isSound: Bool { findingCount == 0 }

  mutating func add(_ finding: Finding) {
    findingCount += 1
    if findings.count < Self.findingsMax { findings.append(finding) }
  }

  /// Something that is wrong.
  public enum Finding: Sendable, Hashable {
    /// A page of the views' file is damaged.
    case page(PageProblem)
    /// A value in the views' file is not what was written there.
    case value(table: String, key: UInt64)
    /// Parts of the views contradict each other, or can't be read.
    case contradiction(String)
    /// The rows of a collection are not those that the log comes to.
    case collection(name: String, expected: Sum, found: Sum)
    /// The rows of a view, or their order, are not those that the log comes to.
    case view(name: String, expected: Sum, found: Sum)
  }

  /// What many rows are together.
  public struct Sum: Sendable, Hashable {
    /// How many they are; a row counts in each group that it is in.
    public let count: UInt64
    /// The sum of their hashes.
    public let hash: UInt64

    /// A sum of that many rows.
    public init(count: UInt64, hash: UInt64) {
      self.count = count
      self.hash = hash
    }
  }

  /// Where views and log parted.
  ///
  /// Marks of frames that are long past were let go of, so it is a stretch of records, not always
  /// one frame.
  public struct Divergence: Sendable, Hashable {
    /// The last record behind which both are known to have been the same; 0 where it is none.
    public let start: RecordNumber
    /// The first record behind which both are known to have differed.
    public let end: RecordNumber
    /// The first event between of which the views and the log tell different things, or, where they
    /// tell the same of all, the first that changed what is different now; `nil` where the journal
    /// doesn't reach back so far.
    public internal(set) var event: RecordNumber?
  }
}

extension Verification: CustomStringConvertible {
  /// What was found, in lines for people.
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
  /// What is wrong, in a clause.
  public var description: String {
    switch self {
    case .page(let problem): "\(problem)"
    case .value(let table, let key): "the value of \(key) in \(table) is damaged"
    case .contradiction(let detail): detail
    case .collection(let name, let expected, let found):
      "the collection \(name) is \(found), and by the log \(expected)"
    case .view(let name, let expected, let found):
      "the view \(name) is \(found), and by the log \(expected)"
    }
  }
}

extension Verification.Sum: CustomStringConvertible {
  /// Count and hash.
  public var description: String { "\(count) rows of hash \(String(hash, radix: 16))" }
}

extension Verification.Divergence: CustomStringConvertible {
  /// Where they parted, in a sentence.
  public var description: String {
    let place = event.map { ", at event \($0.rawValue)" } ?? ""
    return "They parted behind record \(start.rawValue), before \(end.rawValue)\(place)."
  }
}
