import EventStore
import LMDB
import Tideline

extension Record {
  private static let columnsMax = 100

  /// The record for people, on one line of at most 100 characters.
  ///
  /// It shows the number, time, kind, origin and payload size. Then follows the text of an inbox's
  /// event; for other events, the text if field 1 is the only field, or else the fields as JSON.
  var line: String {
    let columns = [
      number.description.leftPadded(to: 6),
      header.recordedAt.description,
      "kind \(header.kind.rawValue)".rightPadded(to: 7),
      header.origin == .fact ? "fact  " : "intent",
      "\(header.payloadCount) B".leftPadded(to: 7),
      summary,
    ]
    return columns.joined(separator: "  ").printable(columns: Self.columnsMax)
  }

  private var summary: String {
    guard header.kind != .lost else { return "(lost)" }
    guard !header.isErased else { return "(erased)" }
    if let event = try? EventCatalog.event(of: self) { return event.line }
    guard let fields = try? PayloadFields(decoding: payload.raw) else { return "(not fields)" }
    if fields.count == 1, case .text(let text)? = fields[1] { return text }
    return fields.json()
  }
}
