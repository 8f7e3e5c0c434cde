public import EventStore
public import Tideline

extension InboxStore {
  /// What happened to the inbox, to be sent to those who look after the app: an exported log, part
  /// by part.
  ///
  ///     for try await part in try store.report() { upload(part) }
  ///
  /// It reads the log alone, so it works where views are broken, and holds no more than a part of
  /// it in memory. Nobody's texts are in it, unless that is asked for.
  ///
  /// - Parameters:
  ///   - since: The first record; without it, the log's first. What came before is missing to those
  ///     who replay it.
  ///   - redaction: How texts are replaced; by a new secret, if nothing else is said.
  ///   - limit: The bytes that it may have: the oldest records are left out where it would have
  ///     more.
  /// - Throws: `StoreError.closed`.
  public func report(
    since first: RecordNumber? = nil, redact redaction: LogReport.Privacy = .redacted(),
    limit: Int? = nil
  ) throws(StoreError) -> LogReport {
    LogReport(try core.log, since: first, redaction, limit: limit, isOwn: false)
  }

  /// What happened to the inbox in a folder, as its namesake tells it of an open store: where that
  /// can't be opened.
  ///
  /// The log is opened for reading only; ``LogReport/close()`` closes it.
  ///
  /// - Throws: `LogError`; `alreadyOpen` where this process has the store open.
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
