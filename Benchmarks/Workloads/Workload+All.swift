import BenchmarkHarness

extension Workload {
  /// All workloads.
  static let all: [Workload] = [
    Append.workload, Commit.workload, Tasks.workload, Scan.workload, Look.workload,
    Look.processes, Look.idle, Memory.workload, Mark.workload, Ingest.workload, Live.workload,
    Opening.workload, Rebuilding.workload, Huge.workload, Holding.workload, InboxWork.workload,
    WireDecoding.workload, FirstSync.workload, Drain.workload, Confirm.workload,
    ReplayWork.workload,
  ]
}
