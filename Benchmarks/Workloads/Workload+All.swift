import BenchmarkHarness

extension Workload {
  /// Every workload there is.
  static let all: [Workload] = [Append.workload, Commit.workload, Scan.workload, Memory.workload]
}
