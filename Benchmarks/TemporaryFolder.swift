import Foundation

/// A folder for one run's files.
struct TemporaryFolder {
  let path: String

  /// Made in `$TIDELINE_BENCH_DIR`, or in the system's temporary folder.
  init() throws {
    let parent =
      ProcessInfo.processInfo.environment["TIDELINE_BENCH_DIR"]
      ?? FileManager.default.temporaryDirectory.path
    let name = "tideline-bench-\(ProcessInfo.processInfo.processIdentifier)"
    path = URL(fileURLWithPath: parent).appendingPathComponent(name).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
