import EventStore
import Foundation
import LMDB
import TestSupport

/// A generator of consecutive numbers.
struct Counting: RandomNumberGenerator {
  private var last: UInt64

  init(from first: UInt64) { last = first &- 1 }

  mutating func next() -> UInt64 {
    last &+= 1
    return last
  }
}

extension LogStanding {
  /// Returns the standing of a log whose store is made from the numbers starting at `first`.
  static func sample(_ first: UInt64 = 1, last: RecordNumber = 100) -> LogStanding {
    var random = Counting(from: first)
    let store = StoreRecord(inode: 1, using: &random)
    return LogStanding(
      store: store.id, incarnation: store.incarnation, floor: 10, last: last)
  }
}

extension Recipe {
  static let sample = Recipe(definitions: 0x1122_3344_5566_7788, reducers: 7)
}

extension Boot {
  static let now = Boot(uuid: "01234567-89ab-cdef-0123-456789abcdef")
  static let before = Boot(uuid: "fedcba98-7654-3210-fedc-ba9876543210")
}

extension ViewsPointer {
  /// A pointer that matches the other samples.
  static let sample = ViewsPointer(
    generation: 3, recipe: .sample, store: LogStanding.sample().store,
    incarnation: LogStanding.sample().incarnation, boot: .now,
    data: File.Identity(device: 5, inode: 6))
}

extension CleanStamp {
  /// The stamp of the views that the sample pointer names.
  static let sample = CleanStamp(
    generation: 3, applied: LogPoint(number: 90, chain: 9), file: ViewsPointer.sample.data,
    transaction: 44)
}

/// A place for a folder of views, and the log and the recipe that the views are for.
struct ViewsPlace {
  let parent: TemporaryFolder
  let views: ViewsFolder
  var log = LogStanding.sample()
  var recipe = Recipe.sample

  init() throws {
    parent = try TemporaryFolder()
    views = ViewsFolder(at: parent.path(of: "views"))
  }

  func open(boot: Boot? = .now) throws -> ViewsFolder.Opening {
    try views.open(log: log, recipe: recipe, boot: boot)
  }

  /// Builds a generation with an entry, and swaps it in.
  @discardableResult
  func build(_ lease: Lease, boot: Boot? = .now) throws -> Generation {
    let generation = try views.begin(lease, log: log)
    try generation.fill()
    try views.swapIn(generation, lease, log: log, recipe: recipe, boot: boot)
    return generation
  }
}

extension Generation {
  /// Commits `count` entries, then closes the environment.
  func fill(_ count: Int = 1) throws {
    let environment = try Environment(at: folder.path, options: Generation.options)
    defer { environment.close() }
    let table: Table<UInt64, [UInt8]> = try environment.table(nil)
    try environment.write(.none) { transaction throws(LMDBError) in
      for key in 0..<count {
        try transaction.put([UInt8](repeating: 1, count: 1000), for: UInt64(key), in: table)
      }
    }
  }
}

extension ViewsFolder.Opening {
  /// The number of the generation to use.
  var used: UInt64? { if case .use(let generation) = self { generation.number } else { nil } }

  /// The reason for a rebuild.
  var reason: Distrust? { if case .rebuild(let reason) = self { reason } else { nil } }
}

/// Overwrites, truncates, extends, or empties a file at random.
func damage(_ path: String, using random: inout SeededGenerator) throws {
  let file = try File(path, .update)
  let size = try file.size()
  let count = Int.random(in: 1...64, using: &random)
  let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() as UInt64) }
  switch Int.random(in: 0..<4, using: &random) {
  case 0: truncate(path, 0)
  case 1: truncate(path, Int.random(in: 0...size, using: &random))
  case 2: try file.write(bytes, at: size)
  default: try file.write(bytes, at: Int.random(in: 0...max(0, size - count), using: &random))
  }
}
