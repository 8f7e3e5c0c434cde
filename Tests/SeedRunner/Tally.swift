/// The combined results of seeds.
struct Tally: Sendable {
  private(set) var seeds = 0
  /// The violations, by seed.
  private(set) var findings: [UInt64: [String]] = [:]
  /// The number of occurrences of each event, by heading.
  private(set) var counts: [String: [String: Int]] = [:]

  /// Creates an empty tally.
  init() {}

  /// Creates the tally of one seed.
  init(seed: UInt64, findings: [String]) {
    seeds = 1
    if !findings.isEmpty { self.findings[seed] = findings }
  }

  mutating func count(_ heading: String, _ name: String, _ number: Int) {
    counts[heading, default: [:]][name, default: 0] += number
  }

  mutating func add(_ other: Tally) {
    seeds += other.seeds
    findings.merge(other.findings) { $0 + $1 }
    counts.merge(other.counts) { $0.merging($1, uniquingKeysWith: +) }
  }

  /// Returns the violations, and then the counts, as lines for people.
  func lines(_ command: Command, in seconds: Double) -> [String] {
    let wrong = findings.sorted { $0.key < $1.key }.flatMap { seed, lines in
      lines.map { "seed \(seed): \($0)" }
    }
    let broken = findings.isEmpty ? [] : ["broken: \(findings.keys.sorted())"]
    let totals = counts.sorted { $0.key < $1.key }.map { heading, counts in
      let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      return "\(heading): \(parts.joined(separator: ", "))"
    }
    let name = command.kind.rawValue
    let known = command.known.isEmpty ? "" : " (known: \(command.known.sorted()))"
    let asked = seeds < command.seeds.count ? " of \(command.seeds.count)" : ""
    return wrong + broken + totals
      + ["\(name): \(seeds)\(asked) seeds in \(Int(seconds)) s, \(findings.count) broken\(known)"]
  }
}
