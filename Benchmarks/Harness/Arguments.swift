/// What the command line asks for.
package enum Arguments: Sendable, Hashable {
  /// To run workloads.
  case run(Options)
  /// To name the workloads.
  case list
  /// To say what the arguments are.
  case help
  /// To be a child of a run, doing something that only a process of its own can.
  case role(name: String, arguments: [String])

  /// How to run.
  package struct Options: Sendable, Hashable {
    /// Whether only to see that everything works.
    package var smoke = false
    /// Whether a target that is not met is a failure.
    package var check = false
    /// The workloads to run; all if empty.
    package var only: [String] = []
    /// What the names of the cases to run contain; all cases if `nil`.
    package var part: String?
    /// How many events each workload handles, instead of its own sizes.
    package var size: Int?
    /// How many rounds are kept, instead of a workload's own number.
    package var rounds: Int?
    /// The file to write findings to.
    package var json: String?
    /// The folder to draw charts into.
    package var svg: String?
    /// The file to draw into how cost follows size.
    package var chart: String?

    package init() {}

    /// How many events `workload` is to handle.
    package func size(of workload: Workload) -> Int {
      size ?? (smoke ? workload.sizes.smoke : workload.sizes.real)
    }

    /// How many rounds of `workload` are kept.
    package func rounds(of workload: Workload) -> Int {
      rounds ?? (smoke ? min(Self.smokeRounds, workload.rounds) : workload.rounds)
    }

    /// The rounds of a smoke run, where no others are asked for.
    private static let smokeRounds = 3
  }

  /// What is wrong with the command line, and the mend, in one line.
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
  /// The workloads asked for, in the order they are defined in.
  package func chosen(from workloads: [Workload]) throws(Arguments.Mistake) -> [Workload] {
    let known = workloads.map(\.name)
    for name in only where !known.contains(name) {
      let names = known.joined(separator: ", ")
      throw .init("There is no workload \(name); there are \(names).")
    }
    return only.isEmpty ? workloads : workloads.filter { only.contains($0.name) }
  }
}
