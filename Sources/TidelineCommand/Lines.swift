import EventStore
import LMDB

/// The lines of standard input, as they arrive.
struct Lines {
  /// The beginning of a line whose end has not arrived.
  private var rest: [UInt8] = []
  private var count = 0
  private var hasEnded = false
  private static let bytesMax = 1 << 16

  /// Returns the lines that arrived since the last call, at least one, or `nil` after the last.
  ///
  /// Throws ``LineError`` for a line that is not text, or longer than a payload may be.
  mutating func next() async throws -> [String]? {
    while !hasEnded {
      let bytes = try await Self.bytes()
      hasEnded = bytes.isEmpty
      let lines = try take(bytes)
      if !lines.isEmpty { return lines }
    }
    return nil
  }

  /// Waits on a separate thread, because input may take any time.
  private static func bytes() async throws -> [UInt8] {
    try await answered { (answer: ResumeOnce<Result<[UInt8], LMDBError>>) in
      _ = WorkerThread {
        answer.resume(
          Result { () throws(LMDBError) in try ByteStream.input.read(upTo: bytesMax) })
      }
    }.get()
  }

  /// Takes the bytes read, and returns the complete lines; at the end, the rest.
  private mutating func take(_ bytes: [UInt8]) throws -> [String] {
    var lines: [String] = []
    var unread = bytes[...]
    while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(try line(endingWith: unread[..<end]))
      unread = unread[(end + 1)...]
    }
    if hasEnded, !rest.isEmpty { return [try line(endingWith: [])] }
    rest += unread
    guard rest.count <= Log.payloadBytesMax else { throw LineError.tooLong(count + 1) }
    return lines
  }

  private mutating func line(endingWith bytes: ArraySlice<UInt8>) throws -> String {
    defer { rest = [] }
    count += 1
    guard let line = String(validating: rest + bytes, as: UTF8.self) else {
      throw LineError.notText(count)
    }
    return line
  }
}

/// The reason a line can't be appended.
enum LineError: Error, CustomStringConvertible {
  /// It is not UTF-8.
  case notText(Int)
  /// It is longer than a payload may be.
  case tooLong(Int)

  var description: String {
    switch self {
    case .notText(let line):
      "line \(line) is not UTF-8. Convert it, and continue after the last number printed."
    case .tooLong(let line):
      "line \(line) exceeds the limit of \(Log.payloadBytesMax) bytes. Split it."
    }
  }
}
