import EventStore
import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Minimal views: each record's text under its number, and the last applied record under 0.
///
/// A record with the text `poison` kills the process; a skipped record has the text `skipped`.
final class ToyViews {
  /// `used`, or the reason why the views were rebuilt.
  let how: String
  private let views: ViewsFolder
  private let recipe: Recipe
  private let boot: Boot?
  private let lease: Lease
  private let generation: Generation
  private let environment: Environment
  private let table: Table<UInt64, [UInt8]>
  private var watch: CrashWatch
  private var applied: LogPoint
  private var isPrepared = false
  private var isCurrent: Bool

  /// An open generation.
  private typealias Opened = (
    generation: Generation, environment: Environment, table: Table<UInt64, [UInt8]>
  )

  /// Opens the views of a log; the lease must be free.
  init(_ log: Log, at path: String, _ boot: Boot?, _ recipe: Recipe) throws {
    (views, self.recipe, self.boot) = (ViewsFolder(at: path), recipe, boot)
    guard let lease = try views.tryTakeLease() else { throw ToyError.busy }
    self.lease = lease
    let standing = try log.standing()
    let opened: Opened
    switch try Self.find(log, views, boot, recipe) {
    case .success(let found): (how, opened, isCurrent) = ("used", found, true)
    case .failure(let reason):
      (how, opened, isCurrent) = ("\(reason)", try Self.begin(log, views, lease), false)
    }
    (generation, environment, table) = opened
    applied = try Self.applied(environment, table)
    watch = try CrashWatch(
      in: views, lease, log: standing, recipe: recipe, after: applied.number)
  }

  /// Returns the generation to use, or the reason why none is usable.
  private static func find(
    _ log: Log, _ views: ViewsFolder, _ boot: Boot?, _ recipe: Recipe
  ) throws -> Result<Opened, ToyReason> {
    switch try views.open(log: log.standing(), recipe: recipe, boot: boot) {
    case .use(let generation):
      let (environment, table) = try open(generation)
      let applied = try applied(environment, table)
      guard case .distrusted(let reason) = try log.trust(applied, in: generation.number) else {
        return .success((generation, environment, table))
      }
      environment.close()
      return .failure(ToyReason(description: "\(reason)"))
    case .rebuild(let reason): return .failure(ToyReason(description: "\(reason)"))
    }
  }

  /// Begins a new generation, without any applied records.
  private static func begin(_ log: Log, _ views: ViewsFolder, _ lease: Lease) throws -> Opened {
    let generation = try views.begin(lease, log: log.standing())
    let (environment, table) = try open(generation)
    let start = LogPoint(number: .zero, chain: Chain(of: log.store).value)
    try environment.write(.none) { transaction throws(LMDBError) in
      try transaction.put(bytes(start), for: 0, in: table)
    }
    return (generation, environment, table)
  }

  private static func open(
    _ generation: Generation
  ) throws(LMDBError) -> (Environment, Table<UInt64, [UInt8]>) {
    let environment = try Environment(at: generation.folder.path, options: Generation.options)
    return (environment, try environment.table(nil))
  }

  /// Applies the remaining records of the log, a few in each commit.
  func catchUp(_ log: Log) async throws {
    let last = try log.last
    if applied.number < last { try await prepare(log) }
    while applied.number < last {
      let end = min(last, applied.number.advanced(by: 7))
      guard let stretch = try watch.next(after: applied.number, through: end) else { break }
      try commit(stretch, log)
    }
    try watch.end()
    guard !isCurrent else { return }
    try views.swapIn(generation, lease, log: log.standing(), recipe: recipe, boot: boot)
    isCurrent = true
    try views.tidy(lease)
  }

  private func prepare(_ log: Log) async throws {
    guard !isPrepared else { return }
    if isCurrent { try views.prepareWriting(generation, lease, boot: boot) }
    try await log.stampViews(nil)
    isPrepared = true
  }

  private func commit(_ stretch: ClosedRange<RecordNumber>, _ log: Log) throws {
    if let reason = try generation.check() { throw ToyError.lost(reason) }
    var rows: [(number: RecordNumber, text: String)] = []
    for number in stretch {
      let record = try log.read { snapshot throws(LogError) in try snapshot.record(number) }
      guard let record else { throw ToyError.gap }
      applied = LogPoint(number: number, chain: record.header.chain)
      let isSkipped = watch.skipped.contains(number)
      if record.text == "poison", !isSkipped { kill(getpid(), SIGKILL) }
      rows.append((number, isSkipped ? "skipped" : record.text))
    }
    try environment.write(.none) { transaction throws(LMDBError) in
      for row in rows {
        try transaction.put(Array(row.text.utf8), for: row.number.rawValue, in: table)
      }
      try transaction.put(Self.bytes(applied), for: 0, in: table)
    }
  }

  /// Flushes the views to the medium, and stamps them as clean in the log.
  func stamp(_ log: Log) async throws {
    try await log.stampViews(views.clean(generation, environment, applied, lease))
    isPrepared = false
  }

  /// Compares the views with the log, and returns the last applied number and the skipped ones.
  func check(_ log: Log) throws -> String {
    let last = try log.last
    guard applied.number == last else { return "applied \(applied.number) of \(last)" }
    for number in 1...max(last.rawValue, 1) where last > .zero {
      let number = RecordNumber(rawValue: number)
      let record = try log.read { snapshot throws(LogError) in try snapshot.record(number) }
      let row: [UInt8]? = try environment.read { transaction throws(LMDBError) in
        try transaction.value(for: number.rawValue, in: table)
      }
      let expected = watch.skipped.contains(number) ? "skipped" : record?.text
      guard row == expected.map({ Array($0.utf8) }) else { return "row \(number) differs" }
    }
    return "\(last) skipping \(watch.skipped.sorted())"
  }

  /// Closes the views in an orderly way, with a stamp.
  func close(_ log: Log) async throws {
    try await stamp(log)
    environment.close()
    generation.release()
    lease.release()
  }

  private static func bytes(_ applied: LogPoint) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: applied.number.rawValue)
    bytes.append(littleEndian: applied.chain)
    return bytes
  }

  private static func applied(
    _ environment: Environment, _ table: Table<UInt64, [UInt8]>
  ) throws -> LogPoint {
    let bytes = try environment.read { transaction throws(LMDBError) in
      try transaction.value(for: 0, in: table)
    }
    guard let bytes, bytes.count == 12 else { throw ToyError.gap }
    return LogPoint(
      number: RecordNumber(rawValue: bytes.raw.integer(UInt64.self, at: 0)),
      chain: bytes.raw.integer(UInt32.self, at: 8))
  }
}

/// An error that ends the work of the toy views.
enum ToyError: Error {
  case busy
  case lost(Distrust)
  case gap
}

/// The reason to rebuild the toy views.
struct ToyReason: Error, CustomStringConvertible { let description: String }
