import Foundation

/// A file of `/proc` with one named value per line.
package struct ProcessFile: Sendable {
  private let lines: [Substring]

  /// Reads the file at `path`; one that isn't there has no values.
  package init(_ path: String) {
    self.init(text: (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
  }

  package init(text: String) {
    lines = text.split(whereSeparator: \.isNewline)
  }

  /// What stands behind `name` in the first line that begins with it.
  package func value(after name: String) -> String? {
    lines.first { $0.hasPrefix(name) }.map {
      $0.dropFirst(name.count).trimmingCharacters(in: .whitespaces)
    }
  }

  /// The number that stands behind `name`, without its unit.
  package func number(after name: String) -> Int? {
    value(after: name)?.split(separator: " ").first.flatMap { Int($0) }
  }

  /// The threads of this process, by their numbers; none where the system doesn't say.
  package static func threads() -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [])
  }

  /// How often each of some threads, as far as it is still there, has gone to sleep and been woken
  /// again.
  package static func wakeups(of threads: Set<String>) -> [String: Int] {
    var wakeups: [String: Int] = [:]
    for thread in threads {
      let status = ProcessFile("/proc/self/task/\(thread)/status")
      wakeups[thread] = status.number(after: "voluntary_ctxt_switches:")
    }
    return wakeups
  }

  /// The private memory of this process that no file backs, in KiB.
  package static func anonymousKibibytes() -> Int? {
    ProcessFile("/proc/self/smaps_rollup").number(after: "Anonymous:")
  }
}
