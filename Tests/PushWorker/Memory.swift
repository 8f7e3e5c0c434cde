import Foundation

/// The memory use of the process.
enum Memory {
  /// The bytes that the process has modified and the system can't reclaim, which is what limits an
  /// extension; 0 if the system doesn't report it.
  static var residentBytes: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8) else {
      return 0
    }
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("Private_Dirty:") }
    let kilobytes = lines.compactMap { Int($0.split(separator: " ").dropFirst().first ?? "") }
    return kilobytes.reduce(0, +) * 1024
  }
}
