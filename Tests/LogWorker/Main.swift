import TestSupport

/// A process that works on a log as its input says, line by line, so that tests can kill it, stop
/// it, or run it in conditions they could not run in themselves.
///
/// It answers each line with one line, except `stream` and `follow`, which keep printing.
@main
struct LogWorker {
  static func main() async {
    endWithParent()
    var session = Session()
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard let command = words.first else { continue }
      tell(await session.answer(command, Array(words.dropFirst())))
    }
  }
}
