import EventStore
import LMDB

/// What the worker holds of a folder of views, and the commands it performs on it.
struct ViewsSession {
  private var lease: Lease?
  private var generation: Generation?

  /// Performs the command of a line that begins with `views`, and returns the answer.
  mutating func answer(_ command: String, _ words: [String]) async throws -> String {
    switch command {
    case "lease":
      lease = try ViewsFolder(at: words[0]).tryTakeLease()
      return lease.map { $0.isInherited ? "inherited" : "taken" } ?? "busy"
    case "release":
      lease?.release()
      lease = nil
    case "use":
      let generations = ViewsFolder(at: words[0]).generations
      generation = try generations.use(UInt64(words[1]) ?? 0)
      return generation == nil ? "gone" : "used"
    case "unuse":
      generation?.release()
      generation = nil
    case "run": return try await Self.run(words)
    default: return "unknown command"
    }
    return "done"
  }

  /// `run LOG VIEWS BOOT REDUCERS [pause]`: brings the views up to the log's end, and answers how.
  ///
  /// With `pause`, it reports each commit and runs forever, so that a test can kill it anywhere.
  private static func run(_ words: [String]) async throws -> String {
    let log = try await Log.open(at: words[0])
    let recipe = Recipe(definitions: 1, reducers: UInt64(words[3]) ?? 0)
    let boot = Boot(id: 1 << 64 | (UInt128(words[2]) ?? 0))
    let toy = try ToyViews(log, at: words[1], boot, recipe)
    let how = toy.how
    try await toy.catchUp(log)
    while words.count > 4 {
      try await toy.stamp(log)
      tell("clean")
      try await log.append(.of(["further"]))
      try await toy.catchUp(log)
      tell("behind")
    }
    let answer = try toy.check(log)
    try await toy.close(log)
    await log.close()
    return "\(how), \(answer)"
  }
}
