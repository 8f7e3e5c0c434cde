import EventStore
import Tideline

extension ProviderChange {
  /// The change for people, with one line per row.
  var lines: [String] {
    guard case .edits(let edits) = self.set.content else {
      return ["reset     all \(list.count) rows"]
    }
    return edits.removals.map { "gone      row \($0.index)" }
      + edits.moves.map { "moved     row \($0.old) to \($0.new)  \(line(at: $0.new))" }
      + edits.insertions.map { "new       row \($0.index)  \(line(at: $0.index))" }
      + edits.updates.map { "changed   row \($0.index)  \(line(at: $0.index))" }
  }

  private func line(at index: Int) -> String {
    list.indices.contains(index) ? ObjectLine(list[index]).line : ""
  }
}
