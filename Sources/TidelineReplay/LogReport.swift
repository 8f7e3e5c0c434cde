public import EventStore
import Tideline

/// An exported log, as an asynchronous sequence of parts.
public struct LogReport: AsyncSequence, Sendable {
  /// Whether a report shows private texts.
  public enum Privacy: Sendable {
    /// Texts are replaced by pseudonyms, made with a given or a new secret.
    case redacted(Redaction = .inbox(secret: LogReport.newSecret()))
    /// Texts stay as they are.
    case verbatim
  }

  private let log: Log
  private let options: LogExport.Options

  /// Whether the log was opened for this report.
  private let isOwn: Bool

  init(
    _ log: Log, since first: RecordNumber?, _ privacy: Privacy, limit: Int?, isOwn: Bool
  ) {
    (self.log, self.isOwn) = (log, isOwn)
    var options = LogExport.Options()
    (options.first, options.bytesMax) = (first, limit)
    (options.passesOverDamage, options.remembers) = (true, \.tellsOfAccounts)
    if case .redacted(let redaction) = privacy { options.redaction = redaction }
    options.mayGoOn = { !Task.isCancelled }
    self.options = options
  }

  /// Returns a new random secret.
  public static func newSecret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in String(random.next() as UInt64, radix: 36) }.joined()
  }

  /// Closes the log if the report was made from a folder.
  public func close() async { if isOwn { await log.close() } }

  /// Creates an iterator that begins with the first part.
  public func makeAsyncIterator() -> Iterator { Iterator(log: log, options: options) }

  /// Reads the log part by part.
  public struct Iterator: AsyncIteratorProtocol {
    let log: Log
    let options: LogExport.Options
    private var export: LogExport?

    init(log: Log, options: LogExport.Options) { (self.log, self.options) = (log, options) }

    /// Returns the next part, or `nil` after the last or if the task was cancelled.
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
