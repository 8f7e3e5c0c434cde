import EventStore
import LMDB
import PowerLossSupport

/// Views that are written without flushes, stamped clean from time to time, and written again.
///
/// After a power loss, views that the log calls clean must be used, and be whole; all others must
/// be rebuilt without being opened.
@main
enum ViewsWorkload: WorkloadProgram {
  private static let clean = "clean"
  private static let writing = "writing behind"
  private static let recipe = Recipe(definitions: 1, reducers: 1)
  private static let before = Boot(id: 1)
  private static let after = Boot(id: 2)

  static func run(in root: Folder, acknowledge: @escaping Acknowledgement) async throws {
    try root.folder("log").create()
    // LogWorkload judges the log's promises.
    try acknowledge(Trace.unjudgedLine)
    let log = try await Log.open(at: root.path(of: "log"))
    try await append(300, to: log, from: 0)
    let views = ViewsFolder(at: root.path(of: "views"))
    guard let lease = try views.tryTakeLease() else { return }
    let generation = try views.begin(lease, log: log.standing())
    var rows = try TableOfRows(in: generation)
    try rows.apply(log, upTo: 300)
    try views.swapIn(generation, lease, log: log.standing(), recipe: recipe, boot: before)
    for round in 0..<3 {
      if round == 0 { try acknowledge(Trace.judgedLine) }
      let stamp = try views.clean(generation, rows.environment, rows.applied, lease)
      try await log.stampViews(stamp)
      try acknowledge(clean)
      // Each round flushes names and pointer, but only the first needs it.
      try acknowledge(Trace.unjudgedLine)
      try await append(60, to: log, from: 300 + 60 * round)
      try acknowledge("\(writing) \(try log.last)")
      try acknowledge(Trace.judgedLine)
      try views.prepareWriting(generation, lease, boot: before)
      try await log.stampViews(nil)
      try acknowledge(Trace.unjudgedLine)
      // Four commits: enough to reuse pages that were stamped clean, and so few that a power cut
      // sometimes loses every trace of them.
      try rows.apply(log, upTo: UInt64(330 + 60 * round))
      try rows.apply(log, upTo: UInt64(360 + 60 * round))
    }
    rows.environment.close()
    await log.close()
  }

  private static func append(_ count: Int, to log: Log, from start: Int) async throws {
    var batch = Batch()
    let event = Event(kind: EventKind(rawValue: 1), recordedAt: Timestamp(rawValue: 0))
    for index in start..<(start + count) { batch.add(event) { $0.put(1, index) } }
    try await log.append(batch)
  }

  static func loss(in root: Folder, after promises: [String]) async throws -> String? {
    guard promises.contains(clean) else { return nil }
    let log = try await Log.open(at: root.path(of: "log"))
    let loss = try loss(of: log, after: promises, in: root)
    await log.close()
    return loss
  }

  private static func loss(
    of log: Log, after promises: [String], in root: Folder
  ) throws -> String? {
    let last = try log.last
    let kept = promises.compactMap { $0.split(separator: " ").last.flatMap { UInt64($0) } }.last
    guard last.rawValue >= kept ?? 0 else { return "the log ends at \(last)" }
    let views = ViewsFolder(at: root.path(of: "views"))
    let standing = try views.adopt(try log.standing())
    switch try views.open(log: standing, recipe: recipe, boot: after) {
    case .rebuild(let reason):
      return promises.last == clean ? "clean views are not used: \(reason)" : nil
    case .use(let generation): return try TableOfRows(in: generation).difference(from: log)
    }
  }
}

extension ViewsFolder {
  /// Makes pointer and stamp name the current files, because a disk image has different ones.
  fileprivate func adopt(_ log: LogStanding) throws -> LogStanding {
    var log = log
    guard var pointer = try ViewsPointer.read(in: folder),
      let data = try generations.folder(of: pointer.generation).identity(
        of: Environment.dataFile)
    else { return log }
    if log.stamp?.file == pointer.data { log.stamp?.file = data }
    pointer.data = data
    pointer.incarnation = log.incarnation
    try pointer.write(in: folder)
    return log
  }
}
