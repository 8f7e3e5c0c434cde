/// What seeds came to.
struct Tally: Sendable {
  private(set) var seeds = 0
  /// What is wrong, seed by seed.
  private(set) var findings: [UInt64: [String]] = [:]
  /// How often what happened, under each heading.
  private(set) var counts: [String: [String: Int]] = [:]

  /// Nothing yet.
  init() {}

  /// What a seed came to.
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

  /// What is wrong, and then how much there was of what, for people.
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
