import EventStore
import LMDB
import PowerLossSupport
import TestSupport
import ToyDomains

/// A store that records changes to a to-do list, and is suspended, closed, reopened and rebuilt.
///
/// After a power loss it must open, whatever remains of its views. Its log must hold everything
/// promised, and its lists what the plain model derives from the log.
@main
enum StoreWorkload: WorkloadProgram {
  private static let before = Boot(id: 1)
  private static let after = Boot(id: 2)
  private static let next = "version 2"

  static func run(in root: Folder, acknowledge: @escaping Acknowledgement) async throws {
    try acknowledge(Trace.unjudgedLine)
    var author = StoreAuthor(acknowledge)
    let store = try await open(root, before, version: 1)
    try acknowledge(Trace.judgedLine)
    for _ in 0..<6 { try await author.append(3, to: store, .full) }
    // ViewsWorkload judges the flushes of views.
    try acknowledge(Trace.unjudgedLine)
    for _ in 0..<3 { try await author.append(8, to: store, .relaxed) }
    try await store.commitViews()
    try author.promise()
    try await author.append(3, to: store, .relaxed)
    await store.suspend()
    try author.promise()
    try await store.resume()
    try await author.append(40, to: store, .full)
    try await author.append(3, to: store, .relaxed)
    await store.close()
    try author.promise()
    try acknowledge(next)
    let again = try await open(root, before, version: 2)
    try acknowledge(Trace.judgedLine)
    for _ in 0..<4 { try await author.append(3, to: again, .full) }
    try acknowledge(Trace.unjudgedLine)
    await again.close()
  }

  private static func open(_ root: Folder, _ boot: Boot?, version: Int) async throws -> Store {
    var options = Store.Options()
    options.log.mapSize = 1 << 16
    options.log.relaxedDelay = .seconds(60)
    options.viewsMapSize = 1 << 18
    options.eventRowsMax = 2
    options.boot = { boot }
    return try await Store.open(
      at: root.path, reducer: Todo.rules(Todo.views, version: version), options: options)
  }

  static func loss(in root: Folder, after promises: [String]) async throws -> String? {
    try root.folder("log").create()
    let log = try await Log.open(at: root.path(of: "log"))
    try await ViewsFolder(at: root.path(of: "views")).adopt(in: log)
    await log.close()
    let store = try await open(root, after, version: promises.contains(next) ? 2 : 1)
    let loss = try await loss(of: store, after: promises)
    await store.close()
    return loss
  }

  private static func loss(of store: Store, after promises: [String]) async throws -> String? {
    for promise in promises {
      let words = promise.split(separator: " ").compactMap { UInt64($0) }
      guard words.count == 2 else { continue }
      let record = try store.log.read { try $0.record(RecordNumber(rawValue: words[0])) }
      guard record.map({ UInt64($0.header.chain) }) == words[1] else { return "\(promise) missing" }
    }
    var comparison = StoreComparison<Todo>(Todo.views)
    if let difference = try await comparison.difference(of: store) { return difference }
    var author = StoreAuthor { _ in }
    try await author.append(20, to: store, .full)
    try store.checkInvariants()
    return try await comparison.difference(of: store)
  }
}

/// An author who appends happenings, and promises the durable ones.
private struct StoreAuthor {
  private var generator = SeededGenerator(seed: 1)
  private let acknowledge: Acknowledgement
  private var unpromised: [String] = []

  init(_ acknowledge: @escaping Acknowledgement) { self.acknowledge = acknowledge }

  mutating func append(_ count: Int, to store: Store, _ durability: Durability) async throws {
    let happenings = (0..<count).map { _ in TodoMix().happening(using: &generator) }
    let last = try await store.append(Batch(happenings), durability: durability).upperBound
    let record = try store.log.read { try $0.record(last) }
    unpromised.append("\(last) \(record?.header.chain ?? 0)")
    if durability == .full { try promise() }
  }

  /// Promises all appended records, which must be durable.
  mutating func promise() throws {
    for line in unpromised { try acknowledge(line) }
    unpromised = []
  }
}

extension ViewsFolder {
  /// Makes pointer and stamp name the current files, because a disk image has different ones.
  fileprivate func adopt(in log: Log) async throws {
    guard folder.contains(ViewsPointer.file),
      var pointer = try ViewsPointer.read(in: folder),
      let data = try generations.folder(of: pointer.generation).identity(of: Environment.dataFile)
    else { return }
    if var stamp = try log.standing().stamp, stamp.file == pointer.data {
      stamp.file = data
      try await log.stampViews(stamp)
    }
    pointer.data = data
    pointer.incarnation = log.incarnation
    try pointer.write(in: folder)
  }
}
