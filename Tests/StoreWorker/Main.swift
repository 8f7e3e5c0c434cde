/// A process that does with a store what it is told, line by line, so that tests can kill it, or
/// have it work in surroundings that they would not want to be in.
///
/// It answers each line with one of its own, but for `live`, which goes on telling.
@main
struct StoreWorker {
  static func main() async {
    var session = Session()
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard let command = words.first else { continue }
      tell(await session.answer(command, Array(words.dropFirst())))
    }
  }
}
