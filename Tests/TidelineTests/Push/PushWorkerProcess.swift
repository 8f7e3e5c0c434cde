import Foundation
import Processes
import TestSupport
import Testing

/// Another process that receives pushes; see the target `PushWorker`.
enum PushWorkerProcess {
  /// Sends lines to the process, and returns its answers once it has ended.
  ///
  /// - Parameters:
  ///   - lines: The lines to send.
  ///   - count: The number of answers after which the process is killed at some moment.
  ///   - delay: The time from those answers to the kill.
  static func answers(
    to lines: [String], killedAfter count: Int? = nil, delay: Duration = .zero
  ) throws -> [String] {
    let (input, output) = (Pipe(), Pipe())
    #if os(Linux)
      // The pipe holds so few answers that the process has to wait for a reader: however late it is
      // killed, it isn't done. (The command's name is not declared for Swift.)
      if count != nil {
        #expect(fcntl(output.fileHandleForWriting.fileDescriptor, 1031, 4096 as CInt) >= 0)
      }
    #endif
    let process = try ChildProcess(
      Products.program("PushWorker"), input: .pipe(input), output: .pipe(output))
    let text = lines.joined(separator: "\n") + "\n"
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let answers = answers(from: output.fileHandleForReading, upTo: count ?? .max) {
      usleep(UInt32(delay / .microseconds(1)))
      process.signal(SIGKILL)
    }
    process.waitForEnd()
    return answers
  }

  /// Reads to the end, and calls `act` once when `count` answers have arrived.
  private static func answers(
    from output: FileHandle, upTo count: Int, _ act: () -> Void
  ) -> [String] {
    var (text, hasActed) = (Data(), false)
    while case let data = output.availableData, !data.isEmpty {
      text += data
      guard !hasActed, text.count(where: { $0 == UInt8(ascii: "\n") }) >= count else { continue }
      act()
      hasActed = true
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
