import LMDB
import Synchronization

/// The file of what the user was told, written by many tasks, a whole line at a time.
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
