import LMDB
import Synchronization

/// A file of acknowledgements to the user, which many tasks write, a whole line at a time.
final class AcknowledgementBook: Sendable {
  private let file: File
  private let size = Mutex(0)

  init(_ path: String) throws(LMDBError) { file = try File(path, .create) }

  func write(_ text: String) throws {
    let line = Array("\(text)\n".utf8)
    try size.withLock { size in
      try file.write(line, at: size)
      size += line.count
    }
  }
}
