import BenchmarkHarness
import CAllocations
import Foundation
import LMDB

/// Measures the engine, and compares it with its limits and peers.
@main
enum Main {
  static func main() async {
    do {
      switch try Arguments(Array(CommandLine.arguments.dropFirst())) {
      case .help: print(Arguments.usage, terminator: "")
      case .list: list()
      case .role(let name, let arguments): try await Role.named(name).run(arguments)
      case .run(let options): try await run(options)
      }
    } catch let mistake as Arguments.Mistake {
      fail(mistake, code: 2)
    } catch {
      fail(error, code: 1)
    }
  }

  private static func list() {
    var table = Table([
      Table.Column("workload"), Table.Column("smoke", keepsRight: true),
      Table.Column("real", keepsRight: true), Table.Column("what is done"),
    ])
    for workload in Workload.all {
      let sizes = workload.sizes
      table.append([workload.name, grouped(sizes.smoke), grouped(sizes.real), workload.summary])
    }
    print(table.text, terminator: "")
  }

  private static func run(_ options: Arguments.Options) async throws {
    let workloads = try options.chosen(from: Workload.all)
    try refuseLostOutput(options)
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let machine = Machine(folder: folder.path)
    announce(machine, folder)

    var report = Report(machine: machine)
    for workload in workloads {
      let size = options.size(of: workload)
      let runner = Runner(
        meter: meter, folder: folder.path, rounds: options.rounds(of: workload), part: options.part)
      report.append(workload, size: size, try await runner.run(workload, size: size))
      print("\n" + report.lastTable, terminator: "")
    }
    try write(report, options)
    if options.check { try check(report) }
  }

  private static func announce(_ machine: Machine, _ folder: TemporaryFolder) {
    print(machine.line)
    if machine.keepsFilesInMemory {
      complain(
        "warning: \(folder.path) is kept in memory, so figures of durable work mean nothing; "
          + "name a folder on a disk in TIDELINE_BENCH_DIR.")
    }
  }

  /// Checks that the findings can be written, before time is spent on them.
  private static func refuseLostOutput(_ options: Arguments.Options) throws {
    if let folder = options.svg {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw Arguments.Mistake("There can be no folder \(folder) to write into: name another.")
      }
    }
    for file in [options.json, options.chart].compactMap(\.self) {
      let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
      guard FileManager.default.isWritableFile(atPath: folder) else {
        throw Arguments.Mistake("There is no folder \(folder) to write into: make it first.")
      }
    }
  }

  private static func write(_ report: Report, _ options: Arguments.Options) throws {
    if let file = options.json {
      try ByteStream.write(Array(Finding.json(report.findings).utf8), to: file)
    }
    if let file = options.chart {
      guard report.curves.count == 1 else {
        throw Arguments.Mistake("--chart wants one workload that measures by size: --only mark.")
      }
      try ByteStream.write(Array(report.curves[0].svg.utf8), to: file)
    }
    guard let folder = options.svg else { return }
    for chart in report.charts {
      try ByteStream.write(Array(chart.svg.utf8), to: "\(folder)/\(chart.name).svg")
    }
  }

  private static func check(_ report: Report) throws {
    for finding in report.unjudged { complain("not measured here: \(described(finding))") }
    guard report.missed.isEmpty else {
      throw Misses(description: "not met: " + report.missed.map(described).joined(separator: "; "))
    }
  }

  private static func described(_ finding: Finding) -> String {
    let target = finding.claim.target?.description ?? ""
    return "\(finding.workload), \(finding.name), \(finding.claim.metric.unit) \(target)"
  }

  private static var meter: Meter {
    Meter {
      let count = tideline_allocation_count()
      return count < 0 ? nil : Int(count)
    }
  }

  private static func fail(_ error: any Error, code: CInt) -> Never {
    complain("\(error)")
    exit(code)
  }

  private static func complain(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }
}

/// The missed targets of a checked run.
private struct Misses: Error, CustomStringConvertible {
  let description: String
}
