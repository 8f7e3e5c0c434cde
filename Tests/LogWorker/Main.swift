/// A process that does with a log what it is told, line by line, so that tests can kill it, stop
/// it, or have it work in surroundings that they would not want to be in.
///
/// It answers each line with one of its own, but for `stream` and `follow`, which go on telling.
@main
struct LogWorker {
  static func main() async {
    var session = Session()
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard let command = words.first else { continue }
      tell(await session.answer(command, Array(words.dropFirst())))
    }
  }
}
