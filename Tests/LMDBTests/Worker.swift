import Foundation
import Processes
import TestSupport

/// A process running `LMDBWorker`, killed when the test ends.
final class Worker {
  private let process: ChildProcess
  private let input = Pipe()
  private let output = Pipe()
  private var unread = ""

  /// - Parameter blocks: The maximum size of files it writes, in the blocks of the shell's
  /// `ulimit`.
  init(
    _ command: String, _ path: String, _ arguments: String..., filesUpTo blocks: Int? = nil
  ) throws {
    var words = [try Products.program("LMDBWorker"), command, path] + arguments
    if let blocks {
      words = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\""] + words
    }
    process = try ChildProcess(
      words[0], Array(words.dropFirst()), input: .pipe(input), output: .pipe(output))
  }

  deinit { kill() }

  var isRunning: Bool { process.end == nil }

  var number: Int { Int(process.number) }

  /// Returns the next line of its output, or `nil` at the end.
  func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: "\n") {
        defer { unread = String(unread[unread.index(after: end)...]) }
        return String(unread[..<end])
      }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { return nil }
      unread += String(decoding: data, as: UTF8.self)
    }
  }

  /// Closes its input, and returns the last line of its output.
  func end() -> String? {
    try? input.fileHandleForWriting.close()
    var last: String?
    while let next = line() { last = next }
    process.waitForEnd()
    return last
  }

  func kill(_ signal: Int32) { process.signal(signal) }

  /// Kills the process and waits for its end.
  func kill() {
    kill(SIGKILL)
    process.waitForEnd()
  }
}
