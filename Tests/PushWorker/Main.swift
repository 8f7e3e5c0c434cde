import EventStore
import Foundation
import Tideline

/// A process that receives pushes, line by line, like an extension that the system starts for each
/// push; it answers each line with one line.
@main
struct PushWorker {
  static func main() async throws {
    var session = Session()
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard let command = words.first else { continue }
      let answer = await session.answer(command, Array(words.dropFirst()))
      // Written in one call, so that a killed process leaves whole lines only.
      try FileHandle.standardOutput.write(contentsOf: Data((answer + "\n").utf8))
    }
  }
}
