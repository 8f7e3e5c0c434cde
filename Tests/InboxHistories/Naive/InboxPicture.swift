package import EventStore
import Foundation
package import Tideline

/// Everything visible in an inbox at one moment, and all open operations.
package struct InboxPicture: Equatable {
  /// An open operation, as far as rules describe it.
  package struct Operation: Hashable {
    package let account: UInt32
    package let intent: RecordNumber
    package let id: String
    package let objectClass: ObjectClass
    package let state: String
    package let attempts: Int
    package let lacksFile: Bool
    package let answer: String
  }

  package var accounts: [String: Account] = [:]
  package var threads: [String: MailThread] = [:]
  package var messages: [String: Message] = [:]
  package var drafts: [String: Draft] = [:]
  package var tags: [String: Tag] = [:]
  package var contacts: [String: Contact] = [:]
  package var files: [String: Attachment] = [:]
  package var rich: [String: RichMessage] = [:]
  package var operations: Set<Operation> = []

  /// An empty one.
  package init() {}
}

extension InboxPicture {
  /// Returns the differences from another picture, property by property, as lines.
  package func differences(from other: InboxPicture) -> [String] {
    Self.differences("account", accounts, other.accounts)
      + Self.differences("thread", threads, other.threads)
      + Self.differences("message", messages, other.messages)
      + Self.differences("draft", drafts, other.drafts) + Self.differences("tag", tags, other.tags)
      + Self.differences("contact", contacts, other.contacts)
      + Self.differences("file", files, other.files) + Self.differences("rich", rich, other.rich)
      + operations.subtracting(other.operations).map { "only here: \($0.line)" }.sorted()
      + other.operations.subtracting(operations).map { "only there: \($0.line)" }.sorted()
  }

  private static func differences<Object: Model>(
    _ name: String, _ mine: [String: Object], _ others: [String: Object]
  ) -> [String] {
    Set(mine.keys).union(others.keys).sorted().flatMap { id -> [String] in
      guard let object = mine[id] else { return ["only there: \(name) \(id)"] }
      guard let other = others[id] else { return ["only here: \(name) \(id)"] }
      return zip(Mirror(reflecting: object).children, Mirror(reflecting: other).children)
        .filter { text($0.value) != text($1.value) }
        .map { "\(name) \(id) \($0.label ?? ""): \(text($0.value)), there \(text($1.value))" }
    }
  }

  private static func text(_ value: Any) -> String {
    if let set = value as? Set<String> { return "\(set.sorted())" }
    if let date = value as? Date { return "\(date.kept.rawValue)" }
    if let reference = value as? TextReference { return "\(reference.digest)" }
    return "\(value)"
  }
}

extension InboxPicture.Operation {
  /// The operation in readable form.
  var line: String {
    "operation #\(intent) of \(account) on \(objectClass) \(id): \(state), \(attempts) attempts"
      + (answer.isEmpty ? "" : ", \(answer)") + (lacksFile ? ", lacks a file" : "")
  }
}
