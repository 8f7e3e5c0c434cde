import Foundation
import TestSupport

/// Another process, running `LMDBWorker`, killed when the test ends.
final class Worker {
  private let process: Process
  private let input: Pipe
  private let output: Pipe
  private var unread = ""

  /// - Parameter blocks: How long a file it may write, in blocks of the shell's `ulimit`.
  init(
    _ command: String, _ path: String, _ arguments: String..., filesUpTo blocks: Int? = nil
  ) throws {
    let program = URL(fileURLWithPath: try Products.program("LMDBWorker"))
    (process, (input, output)) = try Process.begun { process in
      let (input, output) = (Pipe(), Pipe())
      process.executableURL = blocks == nil ? program : URL(fileURLWithPath: "/bin/sh")
      if let blocks {
        let limited = "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\""
        process.arguments = ["-c", limited, program.path]
      }
      process.arguments = (process.arguments ?? []) + [command, path] + arguments
      (process.standardInput, process.standardOutput) = (input, output)
      return (input, output)
    }
  }

  deinit {
    guard process.isRunning else { return }
    kill(SIGKILL)
    process.waitUntilExit()
  }

  var isRunning: Bool { process.isRunning }

  var number: Int { Int(process.processIdentifier) }

  /// The next line that it says, or `nil` at the end.
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

  /// Ends its input, and returns the last line that it says.
  func end() -> String? {
    try? input.fileHandleForWriting.close()
    var last: String?
    while let next = line() { last = next }
    process.waitUntilExit()
    return last
  }

  func kill(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

  /// Kills it and waits until it is gone.
  func kill() {
    kill(SIGKILL)
    process.waitUntilExit()
  }
}
