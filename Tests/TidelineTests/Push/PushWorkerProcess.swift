import Foundation
import TestSupport

/// Another process that gets pushes; see the target `PushWorker`.
enum PushWorkerProcess {
  /// Tells it lines, and returns what it answered to each once it has ended.
  static func answers(to lines: [String]) throws -> [String] {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: try Products.program("PushWorker"))
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(
      contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    try input.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
