/// The request of a command line.
package enum Arguments: Sendable, Hashable {
  /// Run workloads.
  case run(Options)
  /// List the workloads.
  case list
  /// Show the usage.
  case help
  /// Act as a child of a run, for work that needs a process of its own.
  case role(name: String, arguments: [String])

  /// The options of a run.
  package struct Options: Sendable, Hashable {
    /// Whether only to check that everything works.
    package var smoke = false
    /// Whether an unmet target is a failure.
    package var check = false
    /// The workloads to run; all if empty.
    package var only: [String] = []
    /// The text that names of the cases to run contain; `nil` for all cases.
    package var part: String?
    /// The number of events per workload, instead of its own sizes.
    package var size: Int?
    /// The number of kept rounds, instead of a workload's own number.
    package var rounds: Int?
    /// The file for the findings.
    package var json: String?
    /// The folder for the charts.
    package var svg: String?
    /// The file for the chart of cost by size.
    package var chart: String?

    package init() {}

    /// Returns the number of events for `workload`.
    package func size(of workload: Workload) -> Int {
      size ?? (smoke ? workload.sizes.smoke : workload.sizes.real)
    }

    /// Returns the number of kept rounds of `workload`.
    package func rounds(of workload: Workload) -> Int {
      rounds ?? (smoke ? min(Self.smokeRounds, workload.rounds) : workload.rounds)
    }

    /// The default number of rounds in a smoke run.
    private static let smokeRounds = 3
  }

  /// An error in the command line and its remedy, in one line.
  package struct Mistake: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  package static let usage = """
    usage: Scripts/bench [options]
      --smoke            small sizes and 3 rounds: does everything work?
      --check            fail when a target is not met (only at the real size)
      --only NAME,NAME   only these workloads
      --case TEXT        only the cases whose names contain it
      --size N           so many events instead of a workload's own sizes
      --rounds N         how many rounds are kept, after one to warm up (7, fewer of long ones)
      --json FILE        write the findings as JSON
      --svg DIR          draw one chart per workload
      --chart FILE       draw how cost follows size, of a workload that measures it (mark)
      --list             name the workloads
      --help             this text
    Files lie in the system's temporary folder, or in $TIDELINE_BENCH_DIR: a folder on a real
    disk, or else figures of durable work mean nothing. They are removed afterwards.

    """
}

extension Arguments {
  /// Reads a command line, without the program's own name.
  package init(_ words: [String]) throws(Mistake) {
    if words.first == "--role" {
      guard words.count > 1 else { throw Mistake("--role wants the name of a role after it.") }
      self = .role(name: words[1], arguments: Array(words[2...]))
      return
    }
    if words.contains("--help") {
      self = .help
    } else if words == ["--list"] {
      self = .list
    } else {
      self = .run(try Options(words))
    }
  }
}

extension Arguments.Options {
  fileprivate init(_ words: [String]) throws(Arguments.Mistake) {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--smoke": smoke = true
      case "--check": check = true
      case "--only": only = try Self.names(after: word, &words)
      case "--case": part = try Self.value(after: word, &words)
      case "--size": size = try Self.count(after: word, &words)
      case "--rounds": rounds = try Self.count(after: word, &words)
      case "--json": json = try Self.value(after: word, &words)
      case "--svg": svg = try Self.value(after: word, &words)
      case "--chart": chart = try Self.value(after: word, &words)
      case "--list": throw .init("--list goes without other arguments: leave them out.")
      default: throw .init("There is no argument \(word); --help names those there are.")
      }
    }
    try refuseContradictions()
  }

  private func refuseContradictions() throws(Arguments.Mistake) {
    if smoke, size != nil { throw .init("--smoke and --size both set the size: leave one out.") }
    if check, smoke || size != nil {
      throw .init("Targets hold at the real size only: leave out --check, or --smoke and --size.")
    }
  }

  private static func value(
    after word: String, _ words: inout ArraySlice<String>
  ) throws(Arguments.Mistake) -> String {
    guard let value = words.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
      throw .init("\(word) wants a value after it; --help shows which.")
    }
    return value
  }

  private static func count(
    after word: String, _ words: inout ArraySlice<String>
  ) throws(Arguments.Mistake) -> Int {
    let value = try value(after: word, &words)
    guard let count = Int(value), count > 0 else {
      throw .init("\(word) wants a whole number above 0, not \(value): \(word) 5, for example.")
    }
    return count
  }

  private static func names(
    after word: String, _ words: inout ArraySlice<String>
  ) throws(Arguments.Mistake) -> [String] {
    try value(after: word, &words).split(separator: ",").map(String.init)
  }
}

extension Arguments.Options {
  /// Returns the requested workloads, in the order of their definition.
  package func chosen(from workloads: [Workload]) throws(Arguments.Mistake) -> [Workload] {
    let known = workloads.map(\.name)
    for name in only where !known.contains(name) {
      let names = known.joined(separator: ", ")
      throw .init("There is no workload \(name); there are \(names).")
    }
    return only.isEmpty ? workloads : workloads.filter { only.contains($0.name) }
  }
}
