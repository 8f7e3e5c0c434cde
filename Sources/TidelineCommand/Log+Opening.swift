import EventStore

extension Log {
  /// Opens the log in a folder for `body`, and closes it afterwards, however that went.
  static func withLog(
    at path: String, readOnly: Bool = false, _ body: (Log) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    var options = Options()
    options.isReadOnly = readOnly
    let log = try await open(at: path, options: options)
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
