import EventStore
import Foundation
import Tideline

/// A process that is told of pushes, line by line, as an extension is that the system starts for
/// each of them; it answers each line with one of its own.
@main
struct PushWorker {
  static func main() async throws {
    var session = Session()
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard let command = words.first else { continue }
      let answer = await session.answer(command, Array(words.dropFirst()))
      // In one call, so that whoever kills this process finds whole lines only.
      try FileHandle.standardOutput.write(contentsOf: Data((answer + "\n").utf8))
    }
  }
}
