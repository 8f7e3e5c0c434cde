import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Foundation
import Tideline
import TidelineReplay

/// The cost of searching an inbox's log, and of moving it elsewhere.
enum ReplayWork {
  /// The targets.
  private enum Goal {
    static let recordsScanned = 3e6
    static let megabytesExported = 150.0
    static let eventsImported = 1e5
    static let kibibytesOfReport = 8192.0
  }

  static let workload = Workload(
    "replay", "a log of an inbox looked back on, scanned, exported, imported", smoke: 10_000,
    real: 1_000_000, rounds: 3
  ) { setting in
    carrying(setting) + LookingBack.cases(setting)
  }

  private static func carrying(_ setting: Workload.Setting) -> [Case] {
    let size = setting.size
    let log = Later { try await filled(size, in: TemporaryFolder.made(in: setting.folder, "log")) }
    let file = "\(setting.folder)/exported.jsonl"
    return [
      Case("scan, about one thing", Claim(.rate, atLeast: Goal.recordsScanned)) { round in
        let log = try await log.value()
        return try await round.meter.measure(events: size) { try scan(log) }
      },
      export("export", [Claim(.amount(unit: megabytes), atLeast: Goal.megabytesExported)], log) {
        LogExport.Options()
      },
      export("export, redacted", [Claim(.amount(unit: megabytes))], log) {
        var options = LogExport.Options()
        options.redaction = .inbox(secret: "of this run")
        return options
      },
      report(log),
      Case("import", Claim(.rate, atLeast: Goal.eventsImported)) { round in
        if !FileManager.default.fileExists(atPath: file) {
          try write(try await log.value(), to: file)
        }
        return try await round.meter.measure(events: size) {
          try read(file, into: round.folder)
        }
      },
    ]
  }

  private static let megabytes = "MB/s"
  private static let part = 1 << 20

  /// Returns a log of messages from a server, each about its own entity.
  private static func filled(_ count: Int, in folder: String) async throws -> Log {
    let mail = InboxMail(mailbox: Mailbox(count: count), contactCount: 1000)
    let log = try await LogCase.open(folder, isFlushed: false)
    for start in stride(from: 0, to: count, by: 10_000) {
      var batch = Batch()
      for number in start..<min(start + 10_000, count) {
        let id = InboxMail.text(mail.mailbox[number].id)
        let name = ObjectName(.message, id).text(in: InboxMail.login.account)
        let event = Event(
          kind: ObjectClass.message.kind, recordedAt: InboxMail.now, login: InboxMail.login,
          entity: log.fingerprint(of: name))
        batch.add(event, payload: mail.payload(number).payloadBytes)
      }
      try await log.append(batch, durability: .relaxed)
    }
    return log
  }

  private static func scan(_ log: Log) throws -> UInt64 {
    var filter = RecordFilter()
    filter.entity = Fingerprint(rawValue: 1)
    var (search, count) = (RecordSearch(log, matching: filter), 0 as UInt64)
    while let part = try search.part() { count += UInt64(part.count) }
    return count
  }

  /// Measures the bytes of lines exported per second.
  private static func export(
    _ name: String, _ claims: [Claim], _ log: Later<Log>,
    _ options: @escaping () -> LogExport.Options
  ) -> Case {
    Case(name, claims) { _ in
      let log = try await log.value()
      let start = ContinuousClock.now
      var (export, bytes) = (try LogExport(log, options()), 0)
      while let part = try export.next() { bytes += part.count }
      return Sample(amount: Double(bytes) / 1e6 / ((.now - start) / .seconds(1)))
    }
  }

  /// Measures the private memory of a redacted report with a size limit.
  private static func report(_ log: Later<Log>) -> Case {
    let claim = Claim(.amount(unit: "KiB"), atMost: Goal.kibibytesOfReport)
    return Case("report, memory at its height", [claim], isSlow: true) { _ in
      let log = try await log.value()
      var options = LogExport.Options()
      (options.redaction, options.bytesMax) = (.inbox(secret: "of this run"), 50_000_000)
      let height = MemoryHeight()
      var (export, bytes) = (try LogExport(log, options), 0)
      while let part = try export.next() { bytes += part.count }
      precondition(bytes <= 50_000_000)
      return Sample(amount: height.end().map(Double.init))
    }
  }

  private static func write(_ log: Log, to file: String) throws {
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    guard let handle = FileHandle(forWritingAtPath: file) else { return }
    var export = try LogExport(log)
    while let part = try export.next() { try handle.write(contentsOf: part) }
    try handle.close()
  }

  private static func read(_ file: String, into folder: String) throws -> UInt64 {
    guard let handle = FileHandle(forReadingAtPath: file) else { return 0 }
    let report = try Log.importing(into: folder) {
      try handle.read(upToCount: part).map { [UInt8]($0) }
    }
    return UInt64(report.manifest.chain)
  }
}
