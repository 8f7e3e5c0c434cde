import EventStore
import InboxHistories
import TestSupport
import Tideline
import TidelineReplay

/// A random history, and its redacted copy.
struct RedactedHistory {
  let history: InboxHistory
  let redaction = Redaction.inbox(secret: "a secret")
  let pseudonyms: Pseudonyms
  let log: Log
  let redacted: Log
  let lines: [UInt8]
  private let folders: [TemporaryFolder]

  init(seed: UInt64, count: Int) async throws {
    try await self.init(InboxAuthor.history(seed: seed, count: count))
  }

  init(_ history: InboxHistory, compactedThrough floor: RecordNumber? = nil) async throws {
    self.history = history
    folders = [try TemporaryFolder(), try TemporaryFolder()]
    pseudonyms = Pseudonyms(redaction)
    log = try await Log.open(at: folders[0].path)
    try await log.append(history.named(log).batch, durability: .relaxed)
    if let floor { _ = try await log.compact(throughInbox: floor) }
    var options = LogExport.Options()
    options.redaction = redaction
    var (export, lines) = (try LogExport(log, options), [UInt8]())
    while let part = try export.next() { lines += part }
    self.lines = lines
    var parts = [lines]
    _ = try Log.importing(into: folders[1].path) { parts.popLast() }
    redacted = try await Log.open(at: folders[1].path)
  }

  func end() async {
    await log.close()
    await redacted.close()
  }

  /// The pseudonym of a row.
  func row(_ id: String) -> String { pseudonyms.pseudonym(of: id, .path(slashes: 1)) }
}

extension InboxHistory {
  /// The same history with the fingerprints of the objects that its records are about.
  func named(_ log: Log) -> InboxHistory {
    var history = InboxHistory()
    for step in steps {
      var step = step
      if let account = step.header.login?.account, let name = step.event?.entity {
        step.header.entity = log.fingerprint(of: name.text(in: account))
      }
      history.append(step)
    }
    return history
  }
}
