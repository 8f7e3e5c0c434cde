import EventStore
import LMDB
import Pictures
import Tideline

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `tideline bench`: measures the cost of an inbox's views on real logs.
struct BenchCommand: Subcommand {
  static let usage = Usage(
    name: "bench", folders: [], flags: ["--json"],
    numbers: ["--events": 1...UInt64(Int32.max), "--events-of-view": 1...UInt64(Int32.max)],
    texts: ["--log": "FILE", "--svg": "FILE"])
  static let help = """
    Replays a log through an inbox's views and measures the cost: the time per event, with all
    views and for each view alone; the time to rebuild the views; and the bytes written. The log
    is a log's folder, a store's folder, or a file from `tideline export`, redacted or not. It is
    only read; the measuring happens in a temporary folder that is removed afterwards.

      --log FILE          the folder or the exported file (required)
      --events N          replay at most N events (default 1,000,000)
      --events-of-view N  replay at most N events for each view (default 50,000)
      --json              print the results as a JSON object
      --svg FILE          also draw a chart of the time for each view

    Examples:
      tideline bench --log inbox
      tideline export inbox --redact --to inbox.jsonl && tideline bench --log inbox.jsonl
    """

  private let log: String?
  private let isJSON: Bool
  private let chart: String?
  private var options = ReplayBenchmark.Options()

  init(_ arguments: Arguments) {
    log = arguments.text("--log")
    isJSON = arguments.has("--json")
    chart = arguments.text("--svg")
    if let events = arguments.number("--events") { options.eventsMax = Int(events) }
    if let events = arguments.number("--events-of-view") { options.eventsOfViewMax = Int(events) }
  }

  func run() async throws -> ExitStatus {
    guard let log else {
      throw Mistake("tideline bench: --log is missing. Usage: \(Self.usage.line)")
    }
    if let chart { try FileTarget.checkRoom(for: chart) }
    return try await Interruption.ending {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "tideline-bench-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try Folder(folder.path).make()
      return try await measure(log, in: folder.path)
    }
  }

  /// Measures the log in a folder or in an exported file.
  private func measure(_ path: String, in folder: String) async throws -> ExitStatus {
    guard !Folder(path).contains(".") else { return try await measure(logIn: path, folder) }
    let imported = "\(folder)/imported"
    try Folder(imported).make()
    let source = try FileSource(path)
    _ = try Log.importing(into: imported) {
      try Task.checkCancellation()
      return try source.next()
    }
    return try await measure(logIn: imported, folder)
  }

  private func measure(logIn path: String, _ folder: String) async throws -> ExitStatus {
    try await Log.withLog(at: path, readOnly: true) { log in
      var options = options
      options.bytesWritten = Self.bytesWritten
      let bar = ProgressBar("views", of: InboxReducer().views.count + 4, on: .errors)
      options.progress = { _, done, _ in
        try? bar.show(done)
        return !Task.isCancelled
      }
      let benchmark = ReplayBenchmark(log, reducer: InboxReducer(), options)
      let found = try await benchmark.run(in: folder)
      try Output.show(found.lines, json: found.json, isJSON: isJSON)
      if let chart { try ByteStream.write(Array(found.chart.utf8), to: chart) }
      return .done
    }
  }

  /// Returns the number of bytes this process has passed to `write` and its kin, if the system
  /// tells.
  @Sendable private static func bytesWritten() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else {
      return nil
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst(7)) }
  }
}

extension ReplayBenchmark.Findings {
  private static let width = 30

  /// The views, the slowest first.
  private var ranked: [ReplayBenchmark.View] { views.sorted { $0.nanoseconds > $1.nanoseconds } }

  /// The findings for people: a table with a bar for the time of each view.
  var lines: [String] {
    var lines = [
      "events    \(events)",
      "an event  \(Self.text(nanoseconds)) ns on average; individually "
        + "p50 \(Self.text(median)) ns, p99 \(Self.text(tail)) ns",
      "rebuild   \(Self.text(rebuildSeconds * 1000)) ms, "
        + (rebuildBytes.map { "\($0) bytes written" } ?? "bytes written unknown"),
      "written   " + (bytesPerEvent.map { "\(Self.text($0)) bytes per event" } ?? "unknown"),
      "", "view                             rows  ns per event",
    ]
    let most = max(ranked.first?.nanoseconds ?? 1, 1)
    for view in ranked {
      let bar = Int((max(0, view.nanoseconds) / most * Double(Self.width)).rounded())
      lines.append(
        view.name.rightPadded(to: 28) + "\(view.rows)".leftPadded(to: 9)
          + Self.text(view.nanoseconds).leftPadded(to: 14) + "  "
          + String(repeating: "█", count: bar))
    }
    if let least = ranked.last, least.nanoseconds < 0 { lines += ["", Self.noteOnNegative] }
    return lines
  }

  private static let noteOnNegative =
    "A view's time is what it adds to a run; a view that adds nothing can come out below zero."

  private static func text(_ value: Double) -> String { "\(Int(value.rounded()))" }

  /// A chart of the time for each view.
  var chart: String {
    let bars = ranked.map { view in
      Bars.Bar(
        view.name, max(0, view.nanoseconds),
        "\(Self.text(view.nanoseconds)) ns, \(view.rows) rows")
    }
    let caption =
      "\(events) events, \(Self.text(nanoseconds)) ns per event with all views; "
      + "rebuilt in \(Self.text(rebuildSeconds * 1000)) ms"
    return Bars(
      title: "What keeping each view costs", caption: caption,
      [Bars.Group("ns per event, shorter is better", bars)]
    ).svg
  }

  /// The findings as a JSON object.
  var json: String {
    JSONWriter.object { json in
      json.member("events", events)
      json.member("nanoseconds", nanoseconds)
      json.member("p50", median)
      json.member("p99", tail)
      json.member("rebuildSeconds", rebuildSeconds)
      json.member("rebuildBytes", rebuildBytes.map(Double.init))
      json.member("bytesPerEvent", bytesPerEvent)
      json.member("views", ranked) { json, view in
        json.object { json in
          json.member("name", view.name)
          json.member("nanoseconds", view.nanoseconds)
          json.member("rows", view.rows)
        }
      }
    }
  }
}
