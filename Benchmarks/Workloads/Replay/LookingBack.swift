import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Foundation
import Tideline
import TidelineReplay

/// The time to look back on an inbox, with and without snapshots.
enum LookingBack {
  private enum Goal {
    /// The maximum microseconds from opening the snapshots to the rows of a list.
    static let at = 150_000.0
    /// The maximum ratio of the time of a fold without snapshots to that of rebuilding all views.
    static let timesRebuild = 1.5
    /// The maximum microseconds of a search over the whole log.
    static let bisect = 3_000_000.0
    /// The minimum steps per second.
    static let step = 50_000.0
    /// The maximum microseconds to find the two records of a fault, in a tenth of the log.
    static let minimize = 60_000_000.0
    /// The maximum ratio of the snapshots' size to the views'.
    static let room = 1.0
  }

  static func cases(_ setting: Workload.Setting) -> [Case] {
    let desk = Later { try await Desk(setting, .random) }
    let mail = Later { try await Desk(setting, .newestFirst) }
    return [rebuild(desk), fold(desk)] + snapshots(.random, desk) + [
      firstStep(desk), step(desk, tellsLists: false), step(desk, tellsLists: true),
      minimize(setting),
    ] + snapshots(.newestFirst, mail)
  }

  /// Returns the cases that depend on the number of snapshots that fit.
  ///
  /// There are few with random dates and threads, which change pages everywhere, and many with
  /// realistically ordered mail.
  private static func snapshots(_ order: Mailbox.Order, _ desk: Later<Desk>) -> [Case] {
    let name = { (what: String) in "\(order.rawValue): \(what)" }
    let room = Claim(bytes, against: name("room of the views"), .ratioAtMost(Goal.room))
    return [
      making(name("snapshots made"), desk),
      Self.room(name("room of the views"), "views", desk, Claim(bytes)),
      Self.room(name("room of the snapshots"), "snapshots", desk, room),
      at(name("at a record, with snapshots"), desk),
      bisect(name("bisect, with snapshots"), desk),
    ]
  }

  private static let bytes = Metric.amount(unit: "B")
  private static let anew = "views made anew"

  /// An inbox in a folder, and its snapshots.
  private final class Desk {
    let folder: String
    let log: Log
    let count: Int
    private var hasSnapshots = false
    private var dice = SystemRandomNumberGenerator()
    var path: String { "\(folder)/snapshots" }

    init(_ setting: Workload.Setting, _ order: Mailbox.Order) async throws {
      let mailbox = Mailbox(count: setting.size, order: order)
      folder = try await MailDesk.filled(
        InboxMail(mailbox: mailbox), in: setting.folder, "lookback \(order.rawValue)")
      var options = Log.Options()
      options.isReadOnly = true
      log = try await Log.open(at: "\(folder)/log", options: options)
      count = Int(try log.last.rawValue)
    }

    func makeSnapshots() throws {
      var limits = SnapshotLimits()
      limits.bytesMax = MailDesk.bytes(of: "\(folder)/views")
      try SnapshotFolder.makeOfInboxes(log, at: path, limits: limits)
      hasSnapshots = true
    }

    func snapshots() throws -> SnapshotFolder {
      if !hasSnapshots { try makeSnapshots() }
      return try SnapshotFolder(ofInboxes: log, at: path)
    }

    /// Returns the number of one of many scattered records.
    func number(_ index: Int) -> RecordNumber {
      RecordNumber(rawValue: UInt64(index * 611_953 % count + 1))
    }
  }

  private static let list = ListName("unread messages", group: .number(1))

  private static func rebuild(_ desk: Later<Desk>) -> Case {
    Case(anew, [Claim(.rate)]) { round in
      let desk = try await desk.value()
      let folder = "\(round.folder)/anew"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: "\(desk.folder)/log", toPath: "\(folder)/log")
      let sample = try await round.meter.measure(events: desk.count) {
        let store = try await MailDesk.open(folder)
        await store.close()
        return 1
      }
      try FileManager.default.removeItem(atPath: folder)
      return sample
    }
  }

  private static func fold(_ desk: Later<Desk>) -> Case {
    let claim = Claim(.rate, against: anew, .ratioAtLeast(1 / Goal.timesRebuild))
    return Case("at the end, without snapshots", [claim]) { round in
      let desk = try await desk.value()
      return try await round.meter.measure(events: desk.count) {
        let past = try InboxReplay(desk.log, at: desk.log.last)
        return UInt64(try past.replay.count(of: list))
      }
    }
  }

  private static func making(_ name: String, _ desk: Later<Desk>) -> Case {
    Case(name, [Claim(.rate)], isSlow: true) { round in
      let desk = try await desk.value()
      return try await round.meter.measure(events: desk.count) {
        try desk.makeSnapshots()
        return 1
      }
    }
  }

  private static func room(
    _ name: String, _ what: String, _ desk: Later<Desk>, _ claim: Claim
  ) -> Case {
    Case(name, [claim], isSlow: true) { _ in
      let desk = try await desk.value()
      try desk.snapshots().close()
      return Sample(amount: Double(MailDesk.bytes(of: "\(desk.folder)/\(what)")))
    }
  }

  private static func at(_ name: String, _ desk: Later<Desk>) -> Case {
    Case(name, [Claim(.latency, atMost: Goal.at)]) { round in
      let desk = try await desk.value()
      try desk.snapshots().close()
      return try await round.meter.measureEach(25) { index in
        let snapshots = try desk.snapshots()
        defer { snapshots.close() }
        let past = try InboxReplay(desk.log, at: desk.number(index), from: snapshots)
        return UInt64(try past.replay.rows(of: list, in: 0..<50).count)
      }
    }
  }

  private static func bisect(_ name: String, _ desk: Later<Desk>) -> Case {
    Case(name, [Claim(.latency, atMost: Goal.bisect)]) { round in
      let desk = try await desk.value()
      try desk.snapshots().close()
      return try await round.meter.measureEach(5) { index in
        let snapshots = try desk.snapshots()
        defer { snapshots.close() }
        let replay = try InboxReplay(desk.log, at: 0, from: snapshots).replay
        let goal = desk.number(index + 3)
        var bisection = Bisection(after: 0, through: try desk.log.last)
        let found = try replay.bisect(&bisection, scanMax: 512) { past in
          _ = try past.count(of: list)
          return past.position.number >= goal
        }
        guard found == goal else { throw Failed() }
        return goal.rawValue
      }
    }
  }

  /// Creates a stepper in the middle of the log.
  private static func stepper(
    _ desk: Desk, _ snapshots: SnapshotFolder, tellsLists: Bool
  ) throws -> ReplayStepper {
    let start = RecordNumber(rawValue: UInt64(desk.count / 2))
    return ReplayStepper(
      try InboxReplay(desk.log, at: start, from: snapshots).replay, tellsLists: tellsLists)
  }

  /// Measures the first step, which has to bring all lists up to date.
  private static func firstStep(_ desk: Later<Desk>) -> Case {
    Case("first step, change sets", [Claim(.latency)]) { round in
      let desk = try await desk.value()
      let snapshots = try desk.snapshots()
      defer { snapshots.close() }
      let stepper = try stepper(desk, snapshots, tellsLists: true)
      return try await round.meter.measureEach(1) { _ in
        UInt64(try stepper.forward()?.lists.count ?? 0)
      }
    }
  }

  private static func step(_ desk: Later<Desk>, tellsLists: Bool) -> Case {
    let what = tellsLists ? "rows and change sets" : "rows"
    return Case("step on, \(what)", [Claim(.rate, atLeast: Goal.step)]) { round in
      let desk = try await desk.value()
      let snapshots = try desk.snapshots()
      defer { snapshots.close() }
      let stepper = try stepper(desk, snapshots, tellsLists: tellsLists)
      let count = min(desk.count / 4, 50_000)
      return try await round.meter.measure(events: count) {
        var rows: UInt64 = 0
        for _ in 0..<count { rows += UInt64(try stepper.forward()?.rows.count ?? 0) }
        return rows
      }
    }
  }

  private static func minimize(_ setting: Workload.Setting) -> Case {
    Case(
      "minimize a fault of two records", [Claim(.latency, atMost: Goal.minimize)], isSlow: true
    ) { round in
      let count = setting.size / 10
      let mail = InboxMail(mailbox: Mailbox(count: count))
      let folder = try await MailDesk.filled(mail, in: round.folder, "fault")
      let log = try await Log.open(at: "\(folder)/log")
      let id = InboxMail.text(mail.mailbox[count / 3].id)
      var batch = Batch()
      batch.add(
        MarkRead {
          ($0.objectClass, $0.ids) = (.message, [id])
          $0.isRead = mail.mailbox[count / 3].isUnread
        },
        recordedAt: InboxMail.now, login: InboxMail.login)
      try await log.append(batch)
      let past = try InboxReplay(log, at: log.last)
      let question = try PastQuestion("count(outbox) > 0", of: past.replay)
      let sample = try await round.meter.measure(events: count) {
        let found = try past.minimized(question)
        guard found.numbers.count <= 5 else { throw Failed() }
        return UInt64(found.numbers.count)
      }
      await log.close()
      return sample
    }
  }

  /// The error that an answer was wrong.
  private struct Failed: Error {}
}
