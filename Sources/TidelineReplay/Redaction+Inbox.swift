public import EventStore
import Tideline

extension Redaction {
  /// How an inbox's texts are replaced, so that it comes to the same lists, threads and counts.
  ///
  /// Ids keep their order, and names, subjects and addresses that of their folded forms; texts of
  /// messages keep their length. The names of well-known tags stay, as do the words in which
  /// servers tell of states.
  ///
  /// - Parameters:
  ///   - secret: What pseudonyms are made with: the same secret makes the same ones.
  ///   - kept: Texts that stay wherever they are all of a text, beside those of ``wellKnown``.
  ///   - words: Words that stay in bodies and snippets, as an app's predicates look for them.
  public static func inbox(
    secret: String, keeping kept: Set<String> = [], words: Set<String> = []
  ) -> Redaction {
    var redaction = Redaction(secret: secret)
    redaction.kept = kept.union(wellKnown)
    redaction.prefixes = [localPrefix]
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

  /// What ids begin with until a server has given others.
  private static let localPrefix = "local-"

  /// The texts that tell nothing of anybody: tags that every mailbox has, and what servers and
  /// formats call what all of them know.
  public static let wellKnown: Set<String> = Tags.shared.union([
    "sending", "sending_failed", "running", "text/plain", "text/html", "image/jpeg", "image/png",
    "application/pdf",
  ])
}
