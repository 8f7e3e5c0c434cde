import EventStore
import Tideline

/// The screen of `tideline step --interactive`: a record and its effects, before and after side by
/// side.
struct StepScreen {
  /// The shown step; `nil` before the first record.
  var step: Step?
  /// Whether the help for the keys covers the step's effects, which it always does before the first
  /// record.
  var showsHelp = false
  /// Whether the step was just undone, so that its effects are gone.
  var isUndone = false
  /// The last record of the log.
  var last = RecordNumber.zero
  /// The text that records to stop at must contain; empty for all records.
  var filter = ""
  /// The text being typed, and its purpose.
  var prompt: (title: String, text: String)?
  /// A remark to show.
  var remark: String?
  /// The number of lines scrolled past.
  var top = 0

  static let keys = "→ next  ← back  ↑↓ scroll  g go to  / filter  ? help  q quit"

  /// The help for the keys.
  static let help = [
    "→  n  space   the next record that matches the filter",
    "←  p          back by one",
    "↑ ↓           scroll through a record's changes",
    "g             go to a record or a time: 1200, -5, 2026-11-20T09:30:00Z, -1h, start, end",
    "/             stop only at records with a text in their kind, id or changes",
    "?             show this help, or the changes again",
    "q             quit",
  ]

  /// Returns the lines for a size in columns and lines.
  func lines(_ columns: Int, _ count: Int) -> [String] {
    let head = head(columns)
    let foot = [Style.inverse(foot.fitted(to: columns))]
    let room = max(0, count - head.count - foot.count)
    let body = Array(body(columns).dropFirst(top).prefix(room))
    let padding = [String](repeating: "", count: max(0, room - body.count))
    return Array((head + body + padding).prefix(max(0, count - foot.count))) + foot
  }

  private var foot: String {
    if let prompt { return "\(prompt.title)\(prompt.text)▏" }
    return remark ?? (filter.isEmpty ? Self.keys : "/\(filter)   \(Self.keys)")
  }

  private func head(_ columns: Int) -> [String] {
    guard let step else {
      return [Style.inverse("before the first of \(last) records".fitted(to: columns)), ""]
    }
    let header = step.record.header
    let name = EventCatalog.name(of: header.kind) ?? "kind \(header.kind.rawValue)"
    let state = isUndone ? "taken back: " : ""
    let title =
      "\(state)record \(step.number) of \(last)  \(header.recordedAt)  \(name)  "
      + (header.origin == .fact ? "fact" : "intent")
      + (header.login.map { "  account \($0.account)" } ?? "")
    return [
      Style.inverse(title.fitted(to: columns)),
      EventCatalog.line(of: step.record).fitted(to: columns), "",
    ]
  }

  private func body(_ columns: Int) -> [String] {
    guard let step, !showsHelp else { return Self.help.map { $0.fitted(to: columns) } }
    var lines: [String] = []
    if let refusal = step.refusal {
      lines += [Style.red("refused: \(refusal)".fitted(to: columns)), ""]
    }
    if step.rows.isEmpty { lines.append("no row changed".fitted(to: columns)) }
    for row in step.rows { lines += Self.lines(of: row, columns) }
    if !step.lists.isEmpty { lines.append("") }
    for list in step.lists { lines.append(Self.line(of: list).fitted(to: columns)) }
    return lines
  }

  private static let nameColumns = 20

  private static func lines(of row: RowStep, _ columns: Int) -> [String] {
    let what = row.old == nil ? "new" : row.new == nil ? "gone" : "changed"
    let title = "\(row.collection.name) \(row.id)  \(what)"
    let half = max(8, (columns - nameColumns - 3) / 2)
    return [Style.bold(title.fitted(to: columns))]
      + row.told(of: nil).map { field, old, new in
        let (before, after) = (old ?? "–", new ?? "–")
        return "  \(field.fitted(to: nameColumns - 2)) \(Style.red(before.fitted(to: half)))  "
          + Style.green(after.fitted(to: half))
      }
  }

  /// Returns the change of a list, in short.
  static func line(of step: ListStep) -> String {
    let (set, edits) = (step.change, step.change.edits)
    return "\(step.list): \(set.oldCount) → \(set.newCount), +\(edits.insertions.count) "
      + "-\(edits.removals.count), \(edits.moves.count) moved, \(edits.updates.count) changed"
  }
}

/// The text styles of terminals.
enum Style {
  static func inverse(_ text: String) -> String { "\u{1B}[7m\(text)\u{1B}[0m" }
  static func bold(_ text: String) -> String { "\u{1B}[1m\(text)\u{1B}[0m" }
  static func red(_ text: String) -> String { "\u{1B}[31m\(text)\u{1B}[0m" }
  static func green(_ text: String) -> String { "\u{1B}[32m\(text)\u{1B}[0m" }
}

extension String {
  /// Returns the text cut and padded to a number of columns.
  fileprivate func fitted(to columns: Int) -> String {
    printable(columns: columns).rightPadded(to: columns)
  }
}
