public import EventStore
import Tideline

extension Redaction {
  /// Returns a redaction that replaces an inbox's texts but preserves its lists, threads and
  /// counts.
  ///
  /// Ids keep their order; names, subjects and addresses keep the order of their folded forms;
  /// message texts keep their length. Names of well-known tags and servers' words for states stay.
  ///
  /// - Parameters:
  ///   - secret: The secret for pseudonyms; the same secret makes the same ones.
  ///   - kept: Whole texts that stay, in addition to those of ``wellKnown``.
  ///   - words: Words that stay in bodies and snippets because an app's predicates look for them.
  public static func inbox(
    secret: String, keeping kept: Set<String> = [], words: Set<String> = []
  ) -> Redaction {
    var redaction = Redaction(secret: secret)
    redaction.kept = kept.union(wellKnown)
    redaction.prefixes = [TemporaryID.prefix]
    redaction.words = words
    redaction.folding = { FoldedText($0).text }
    redaction.treatment = InboxTreatment.rule
    redaction.isHash = InboxTreatment.isHash
    redaction.entity = { header, payload in
      guard let account = header.login?.account,
        let event = try? EventCatalog.event(
          of: header.kind, version: header.version, payload.payloadBytes)
      else { return nil }
      return event.entity?.text(in: account)
    }
    return redaction
  }

  /// The texts that reveal nothing private: the tags of every mailbox, and common terms of servers
  /// and formats.
  public static let wellKnown: Set<String> = Tags.shared.union([
    "sending", "sending_failed", "running", "text/plain", "text/html", "image/jpeg", "image/png",
    "application/pdf",
  ])
}
