import EventStore
import Foundation
import Tideline

/// Everything that is visible of an inbox at one moment, and all open operations.
struct InboxPicture: Equatable {
  /// An open operation, as far as rules tell of it.
  struct Operation: Hashable {
    let account: UInt32
    let intent: RecordNumber
    let id: String
    let objectClass: ObjectClass
    let state: String
    let attempts: Int
  }

  var accounts: [String: Account] = [:]
  var threads: [String: MailThread] = [:]
  var messages: [String: Message] = [:]
  var drafts: [String: Draft] = [:]
  var tags: [String: InboxTag] = [:]
  var contacts: [String: Contact] = [:]
  var files: [String: InboxFile] = [:]
  var rich: [String: RichMessage] = [:]
  var operations: Set<Operation> = []
}

extension InboxPicture {
  /// How it differs from another, property by property, as lines.
  func differences(from other: InboxPicture) -> [String] {
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
  /// The operation for people.
  var line: String {
    "operation #\(intent) of \(account) on \(objectClass) \(id): \(state), \(attempts) attempts"
  }
}
