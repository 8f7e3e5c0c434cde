public import EventStore
public import Tideline

extension InboxStore {
  /// What happened to the inbox, to be sent to those who look after the app: an exported log, part
  /// by part.
  ///
  ///     for try await part in try inbox.report() { upload(part) }
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

/// An exported log on its way to those who are to look at it.
public struct LogReport: AsyncSequence, Sendable {
  /// Whether a report shows anybody's texts.
  public enum Privacy: Sendable {
    /// Texts are replaced by pseudonyms, made with a secret, or with a new one.
    case redacted(Redaction = .inbox(secret: LogReport.newSecret()))
    /// Texts are as they are.
    case verbatim
  }

  private let log: Log
  private let options: LogExport.Options

  /// Whether the log was opened for the report.
  private let isOwn: Bool

  init(
    _ log: Log, since first: RecordNumber?, _ privacy: Privacy, limit: Int?, isOwn: Bool
  ) {
    (self.log, self.isOwn) = (log, isOwn)
    var options = LogExport.Options()
    (options.first, options.bytesMax) = (first, limit)
    options.passesOverDamage = true
    if case .redacted(let redaction) = privacy { options.redaction = redaction }
    self.options = options
  }

  /// A secret that nobody knows.
  public static func newSecret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
  }

  /// Closes the log, where the report was made of a folder.
  public func close() async { if isOwn { await log.close() } }

  /// Begins with the first part.
  public func makeAsyncIterator() -> Iterator { Iterator(log: log, options: options) }

  /// Reads the log from part to part.
  public struct Iterator: AsyncIteratorProtocol {
    let log: Log
    let options: LogExport.Options
    private var export: LogExport?

    init(log: Log, options: LogExport.Options) { (self.log, self.options) = (log, options) }

    /// The next part, or `nil` behind the last or where the task was cancelled.
    ///
    /// - Throws: `LogError`.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(LogError) -> [UInt8]? {
      guard !Task.isCancelled else { return nil }
      var export: LogExport
      if let begun = self.export { export = begun } else { export = try LogExport(log, options) }
      let part = try export.next()
      self.export = export
      return part
    }
  }
}
