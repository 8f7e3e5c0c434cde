import Foundation

/// A folder for the files of one run.
struct TemporaryFolder {
  let path: String

  /// Creates the folder in `$TIDELINE_BENCH_DIR`, or in the system's temporary folder.
  init() throws {
    let parent =
      ProcessInfo.processInfo.environment["TIDELINE_BENCH_DIR"]
      ?? FileManager.default.temporaryDirectory.path
    let name = "tideline-bench-\(ProcessInfo.processInfo.processIdentifier)"
    path = URL(fileURLWithPath: parent).appendingPathComponent(name).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Creates a named folder within another, and returns its path.
  static func made(in parent: String, _ name: String) throws -> String {
    let path = "\(parent)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
