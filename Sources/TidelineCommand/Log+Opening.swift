import EventStore
import LMDB

extension Log {
  /// Opens the log in a folder, which may be a store's, for `body`, and closes it afterwards, even
  /// on failure.
  ///
  /// Every page of a log that is only read is examined first.
  static func withLog(
    at path: String, readOnly: Bool = false, _ body: (Log) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    var options = Options()
    options.isReadOnly = readOnly
    options.examinesPages = readOnly
    let folder = try readOnly ? LogFolder.readPath(in: path) : LogFolder.path(in: path)
    let log = try await opened(at: folder, options)
    let result: Result<ExitStatus, any Error>
    do {
      result = .success(try await body(log))
    } catch {
      result = .failure(error)
    }
    await log.close()
    return try result.get()
  }

  private static func opened(at path: String, _ options: Options) async throws -> Log {
    do {
      return try await open(at: path, options: options)
    } catch {
      guard case .notPermitted = error, options.isReadOnly, Folder(path).holdsData else {
        throw error
      }
      throw NotWritable(path: path)
    }
  }
}

/// The error that a log can't be read because its readers can't be registered.
private struct NotWritable: Error, CustomStringConvertible {
  let path: String

  var description: String {
    "The system denies access to \(path): reading a log writes to its lock.mdb. "
      + "Fix its permissions, or copy the folder and read the copy."
  }
}
