import Foundation

/// A file of `/proc` with one named value per line.
package struct ProcessFile: Sendable {
  private let lines: [Substring]

  /// Reads the file at `path`; a missing file has no values.
  package init(_ path: String) {
    self.init(text: (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
  }

  package init(text: String) {
    lines = text.split(whereSeparator: \.isNewline)
  }

  /// Returns the text after `name` in the first line that begins with it.
  package func value(after name: String) -> String? {
    lines.first { $0.hasPrefix(name) }.map {
      $0.dropFirst(name.count).trimmingCharacters(in: .whitespaces)
    }
  }

  /// Returns the number after `name`, without its unit.
  package func number(after name: String) -> Int? {
    value(after: name)?.split(separator: " ").first.flatMap { Int($0) }
  }

  /// Returns the ids of this process's threads; none if the system does not tell.
  package static func threads() -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [])
  }

  /// Returns how often each of some threads, if it still exists, has gone to sleep and woken up.
  package static func wakeups(of threads: Set<String>) -> [String: Int] {
    var wakeups: [String: Int] = [:]
    for thread in threads {
      let status = ProcessFile("/proc/self/task/\(thread)/status")
      wakeups[thread] = status.number(after: "voluntary_ctxt_switches:")
    }
    return wakeups
  }

  /// Returns the private memory of this process without a backing file, in KiB.
  package static func anonymousKibibytes() -> Int? {
    ProcessFile("/proc/self/smaps_rollup").number(after: "Anonymous:")
  }
}
