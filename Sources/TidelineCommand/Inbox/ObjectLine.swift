import Foundation
import Tideline

/// An object as a line for people.
struct ObjectLine {
  /// The text of the line, without the id.
  let text: String
  let id: String
  private static let columnsMax = 110
  /// The minimum number of columns for the text, however long the id is.
  private static let textColumnsMin = 20

  /// Describes an object.
  ///
  /// - Parameter name: What to show instead of its id.
  init(_ object: any Model, named name: String? = nil) {
    id = name ?? object.id
    text =
      switch object {
      case let thread as MailThread: Self.text(of: thread)
      case let message as Message: Self.text(of: message)
      case let draft as Draft: Self.line("✎", draft.date, draft.to, draft.subject)
      case let rich as RichMessage: Self.text(of: rich)
      case let tag as Tag: tag.name
      case let contact as Contact: "\(contact.name ?? "")  \(contact.email ?? "")"
      default: ""
      }
  }

  /// The line, ending with the whole id; the text is cut off where it must be.
  var line: String {
    let id = "  [\(id)]"
    let columns = max(Self.textColumnsMin, Self.columnsMax - id.count)
    return text.printable(columns: columns) + id.printable(columns: id.count)
  }

  private static func text(of thread: MailThread) -> String {
    let tags = thread.tagIDs.subtracting(["unread", "unseen", "inbox"]).sorted()
    let line = line(
      thread.isUnread ? "●" : " ", thread.effectiveDate, thread.participants, thread.subject)
    return line + (tags.isEmpty ? "" : "  \(tags.joined(separator: " "))")
  }

  private static func text(of message: Message) -> String {
    line(message.isUnread ? "●" : " ", message.effectiveDate, message.from, message.subject)
  }

  private static func text(of rich: RichMessage) -> String {
    let title = rich.line ?? rich.alert ?? ""
    let mark = rich.isDeleted ? "✕" : rich.isRead ? " " : "●"
    return "\(mark) \(day(rich.effectiveDate))  \(title)\(rich.isPartial ? "  (alert only)" : "")"
  }

  private static func line(
    _ mark: String, _ date: Date?, _ people: [Participant], _ subject: String?
  ) -> String {
    let names = people.prefix(2).map { $0.name?.nonempty ?? $0.email }.joined(separator: ", ")
    let column = names.printable(columns: 24).rightPadded(to: 24)
    return
      "\(mark) \(day(date))  \(column)  \(subject?.nonempty ?? "(no subject)")"
  }

  private static func day(_ date: Date?) -> String {
    guard let date else { return "                " }
    let text = date.ISO8601Format(.init(dateTimeSeparator: .space))
    return String(text.prefix(16))
  }
}
