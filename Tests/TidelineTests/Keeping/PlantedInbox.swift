import EventStore
import Foundation
import TestSupport
import Tideline

/// Texts to search for in everything that an inbox keeps.
enum PlantedInbox {
  /// The beginning of every text that must not be found after its erasure.
  static let mark = "planted-"

  /// Plants about five texts per item: a server reports messages, contacts and rich messages, the
  /// person writes drafts, and an extension leaves an alert.
  static func plant(_ count: Int, in inbox: Inbox, _ desk: TestDesk, ids: String = "m") async throws
  {
    for start in stride(from: 0, to: count, by: 50) {
      try await inbox.apply(
        Delivery { delivery in
          for number in start..<min(start + 50, count) { add(number, to: &delivery, inbox, ids) }
        })
    }
    var draft = Draft(id: inbox.newID(), account: inbox.account)
    draft.subject = "\(mark)draft"
    try await inbox.perform(.save(draft, body: "\(mark)text of a draft"))
  }

  private static func add(
    _ number: Int, to delivery: inout Delivery, _ inbox: Inbox, _ ids: String
  ) {
    var message = Message(id: "\(ids)\(number)", account: inbox.account)
    message.subject = "\(mark)subject-\(number)"
    message.snippet = "\(mark)snippet-\(number)"
    message.from = [Participant(name: "\(mark)name-\(number)", email: "a@example.com")]
    message.threadID = "t\(number % 7)"
    let size = [1, 30, 200, 1500][number % 4]
    delivery.add(message, body: String(repeating: "\(mark)body-\(number) ", count: size))
    guard number % 3 == 0 else { return }
    var rich = RichMessage(id: "r\(number)", account: inbox.account)
    rich.subject = "\(mark)rich-\(number)"
    rich.sendDateUtc = Date(timeIntervalSince1970: 1_700_000_000)
    delivery.add(rich, body: "\(mark)content-\(number)")
  }

  /// Returns where files of a folder contain a planted text, or the better part of one.
  static func marks(_ text: String = mark, in folder: String) throws -> [String] {
    var found: [String] = []
    let files = FileManager.default.enumerator(atPath: folder)
    while let name = files?.nextObject() as? String {
      let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
      if let range = bytes.range(of: Data(text.utf8.dropFirst())) {
        found.append("\(name) at \(range.lowerBound)")
      }
    }
    return found
  }
}
