public import EventStore
public import Tideline

extension InboxStore {
  /// Returns a report of what happened to the inbox, for those who maintain the app: an exported
  /// log, in parts.
  ///
  ///     for try await part in try store.report() { upload(part) }
  ///
  /// The report reads only the log, so it works even if views are broken, and holds no more than
  /// one part in memory. It contains no private texts unless asked to.
  ///
  /// - Parameters:
  ///   - since: The first record; by default, the log's first. Of those before, the report only has
  ///     what tells of accounts, so a replay's lists come to what was reported since.
  ///   - redaction: How texts are replaced; by default, with a new secret.
  ///   - limit: The maximum size in bytes; the oldest records are left out to stay within it, with
  ///     the same effect.
  /// - Throws: `StoreError.closed`.
  public func report(
    since first: RecordNumber? = nil, redact redaction: LogReport.Privacy = .redacted(),
    limit: Int? = nil
  ) throws(StoreError) -> LogReport {
    LogReport(try core.log, since: first, redaction, limit: limit, isOwn: false)
  }

  /// Returns the same report as its namesake for the inbox in a folder, if its store cannot be
  /// opened.
  ///
  /// The log is opened read-only; ``LogReport/close()`` closes it.
  ///
  /// - Throws: `LogError`; `alreadyOpen` if this process has the store open.
  public static func report(
    at path: String, since first: RecordNumber? = nil,
    redact redaction: LogReport.Privacy = .redacted(), limit: Int? = nil
  ) async throws(LogError) -> LogReport {
    var options = Log.Options()
    options.isReadOnly = true
    let log = try await Log.open(at: "\(path)/log", options: options)
    return LogReport(log, since: first, redaction, limit: limit, isOwn: true)
  }
}
