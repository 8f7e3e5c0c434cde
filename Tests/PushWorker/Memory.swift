import Foundation

/// What the process takes of the machine's memory.
enum Memory {
  /// The bytes that the process has written to and that the system can't take back, which is what
  /// an extension is limited in; nothing where the system doesn't say.
  static var residentBytes: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8) else {
      return 0
    }
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("Private_Dirty:") }
    let kilobytes = lines.compactMap { Int($0.split(separator: " ").dropFirst().first ?? "") }
    return kilobytes.reduce(0, +) * 1024
  }
}
