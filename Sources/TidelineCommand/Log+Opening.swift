import EventStore

extension Log {
  /// Opens the log of a folder, which may be a store's, for `body`, and closes it afterwards,
  /// however that went.
  static func withLog(
    at path: String, readOnly: Bool = false, _ body: (Log) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    var options = Options()
    options.isReadOnly = readOnly
    let folder = try readOnly ? LogFolder.readPath(in: path) : LogFolder.path(in: path)
    let log = try await open(at: folder, options: options)
    let result: Result<ExitStatus, any Error>
    do {
      result = .success(try await body(log))
    } catch {
      result = .failure(error)
    }
    await log.close()
    return try result.get()
  }
}
