import Foundation
import LMDB

/// The bytes of a file, or of standard input for a hyphen, in parts.
final class FileSource {
  private let path: String
  private var offset = 0
  /// The total number of bytes, if known.
  let total: Int?
  private static let partBytes = 1 << 20

  init(_ path: String) throws(LMDBError) {
    self.path = path
    total = path == "-" ? nil : try File(path, .read).size()
  }

  /// The number of bytes read.
  var done: Int { offset }

  /// Returns the next bytes, or `nil` at the end.
  ///
  /// - Throws: `LMDBError`; `CancellationError` if the task is cancelled during the wait.
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

/// A file written from its beginning, or standard output.
final class FileTarget {
  private let path: String?
  private var offset = 0

  /// - Parameter path: The path of the file, which must not exist yet; `nil` for standard output.
  init(_ path: String?) throws(LMDBError) {
    self.path = path
    if let path { _ = try File(path, .create) }
  }

  /// Throws if the folder of a file can't be opened, before time is spent on the file's content.
  static func checkRoom(for path: String) throws(LMDBError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    _ = try File("\(folder)/.", .read)
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(LMDBError) {
    guard let path else { return try ByteStream.output.write(bytes) }
    try File(path, .update).write(bytes, at: offset)
    offset += bytes.count
  }

  /// Removes the incomplete file.
  func discard() {
    if let path { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Returns once the file is on the medium.
  func finish() throws(LMDBError) {
    if let path { try File(path, .update).flush() }
  }
}
