public import EventStore
import Tideline

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
