import EventStore
import LMDB

/// The lines of standard input, as they arrive.
struct Lines {
  /// The beginning of a line whose end has not arrived.
  private var rest: [UInt8] = []
  private var count = 0
  private var hasEnded = false
  private static let bytesMax = 1 << 16

  /// The lines that arrived since the last time, one at least, or `nil` behind the last.
  ///
  /// Throws ``LineError`` for one that is no text, or longer than a payload may be.
  mutating func next() async throws -> [String]? {
    while !hasEnded {
      let bytes = try await Self.bytes()
      hasEnded = bytes.isEmpty
      let lines = try take(bytes)
      if !lines.isEmpty { return lines }
    }
    return nil
  }

  /// Waits on a thread of its own, as a person may take any time.
  private static func bytes() async throws -> [UInt8] {
    try await answered { (answer: Answer<Result<[UInt8], LMDBError>>) in
      _ = WorkerThread {
        answer.resume(
          Result { () throws(LMDBError) in try ByteStream.input.read(upTo: bytesMax) })
      }
    }.get()
  }

  /// Takes in what was read, and gives out the lines that are whole; at the end, what is left.
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

/// Why a line can't be appended.
enum LineError: Error, CustomStringConvertible {
  /// It is not UTF-8.
  case notText(Int)
  /// It has no end within what a payload may hold.
  case tooLong(Int)

  var description: String {
    switch self {
    case .notText(let line):
      "line \(line) is not UTF-8. Convert it, and go on behind the last number printed."
    case .tooLong(let line):
      "line \(line) is over the limit of \(Log.payloadBytesMax) bytes. Split it."
    }
  }
}
