import Foundation
import LMDB

/// The bytes of a file, or of standard input where its name is a hyphen, part by part.
final class FileSource {
  private let path: String
  private var offset = 0
  /// How many bytes there are, where that can be told.
  let total: Int?
  private static let partBytes = 1 << 20

  init(_ path: String) throws(LMDBError) {
    self.path = path
    total = path == "-" ? nil : try File(path, .read).size()
  }

  /// How many bytes were read.
  var done: Int { offset }

  /// The next bytes, or `nil` at the end.
  ///
  /// - Throws: `LMDBError`; `CancellationError` where the task is cancelled as it waits for them.
  func next() throws -> [UInt8]? {
    while total == nil, !ByteStream.input.isReadable(withinMilliseconds: 100) {
      try Task.checkCancellation()
    }
    let bytes =
      total == nil
      ? try ByteStream.input.read(upTo: Self.partBytes)
      : try File(path, .read).bytes(at: offset, count: Self.partBytes)
    offset += bytes.count
    return bytes.isEmpty ? nil : bytes
  }
}

/// A file to be written from its beginning, or standard output.
final class FileTarget {
  private let path: String?
  private var offset = 0

  /// - Parameter path: The file's, which must not be there yet; standard output without one.
  init(_ path: String?) throws(LMDBError) {
    self.path = path
    if let path { _ = try File(path, .create) }
  }

  /// Writes behind what was written.
  func write(_ bytes: [UInt8]) throws(LMDBError) {
    guard let path else { return try ByteStream.output.write(bytes) }
    try File(path, .update).write(bytes, at: offset)
    offset += bytes.count
  }

  /// Removes the file, of which only a part is written.
  func discard() {
    if let path { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Returns once it is on the medium.
  func finish() throws(LMDBError) {
    if let path { try File(path, .update).flush() }
  }
}
