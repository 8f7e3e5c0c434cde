import EventStore
import Tideline

/// The complete state that a reducer folds a log to, hidden fields included: rows by collection and
/// id, with links as the ids of the rows they lead to.
struct WholeState: Equatable {
  private(set) var rows: [String: [String]] = [:]
  private(set) var aliases: [String: String] = [:]

  private static let collections = InboxReducer().collections
  private static let links = ["overlay", "object", "next", "saving", "subject"]
  /// The field for the floor of compaction.
  private static let ownOfBaselines = "floor"

  init(_ replay: Replay) throws {
    var texts: [(row: String, field: String, reference: TextReference)] = []
    for collection in Self.collections {
      let shape = collection.shape
      var found: [(String, [String])] = []
      try replay.foldedRows.forEachRow(of: collection) { _, row in
        var values: [String] = []
        for field in collection.fields where field.name != Self.ownOfBaselines {
          guard row.has(field.number - 1) else { continue }
          if Self.links.contains(field.name), field.kind == .link {
            let word = row.slot(field.number - 1)
            let ids = Self.ids(word, field.name, collection, row, replay)
            values.append("\(field.name): \(ids)")
          } else {
            let bits = UInt64(1) << UInt64(field.number - 1)
            values.append("\(field.name): \(row.values(bits, shape)[field.number] ?? .null)")
          }
        }
        let name = "\(collection.name) \(row.name)"
        found.append((name, values))
        row.forEachReference(shape) { texts.append((name, "text", $0)) }
      }
      for (id, values) in found { rows[id] = values }
      try addAliases(of: collection, replay)
    }
    for text in texts {
      let content = try replay.log.content(of: text.reference)
      rows[text.row, default: []].append("\(text.reference.field): \(content ?? [])")
    }
  }

  private mutating func addAliases(of collection: RowCollection, _ replay: Replay) throws {
    var found: [(String, RowID)] = []
    try replay.foldedRows.forEachAlias(of: collection) { found.append(($0, $1)) }
    for (alias, target) in found {
      let (name, isThere) = try replay.foldedRows.withRow(target, of: collection) { row in
        (row?.name ?? "", RowView.isPresent(row))
      }
      // An operation's id is a record's number, which is never reused.
      if collection.name == "operations", !isThere { continue }
      aliases["\(collection.name) \(alias)"] = name
    }
  }

  /// Returns the ids of the rows that a link leads to.
  private static func ids(
    _ word: UInt64, _ field: String, _ collection: RowCollection, _ row: RowView, _ replay: Replay
  ) -> [String] {
    let (low, high) = (UInt32(truncatingIfNeeded: word), UInt32(truncatingIfNeeded: word >> 32))
    let operations = collections[7]
    switch field {
    case "overlay":
      let base = collections.first { $0.name == "\(collection.name) as told" }
      return [
        low == 0 ? "" : id(low, operations, replay),
        high == 0 ? "" : base.map { id(high, $0, replay) } ?? "?",
      ]
    case "next": return [id(low, operations, replay)]
    case "saving":
      let isUpload = row.values(1 << 3, collection.shape)[4] == .integer(8)
      let name = isUpload ? "uploads" : "savings"
      return collections.filter { $0.name == name }.map { id(low, $0, replay) }
    default: return [id(low, collections[Int(high)], replay)]
    }
  }

  private static func id(_ row: UInt32, _ collection: RowCollection, _ replay: Replay) -> String {
    let id = try? replay.foldedRows.withRow(RowID(rawValue: row), of: collection) { row in
      RowView.isPresent(row) ? row?.name ?? "" : "gone"
    }
    return "\(collection.name) \(id ?? "unreadable")"
  }

  /// Returns how it differs from another.
  func differences(from other: WholeState) -> [String] {
    var lines: [String] = []
    for id in Set(rows.keys).union(other.rows.keys).sorted() where rows[id] != other.rows[id] {
      guard let mine = rows[id] else { lines.append("only there: \(id)"); continue }
      guard let others = other.rows[id] else { lines.append("only here: \(id)"); continue }
      let (here, there) = (
        mine.filter { !others.contains($0) }, others.filter { !mine.contains($0) }
      )
      lines.append("\(id): \(here), there \(there)")
    }
    for id in Set(aliases.keys).union(other.aliases.keys).sorted()
    where aliases[id] != other.aliases[id] {
      lines.append("alias \(id): \(aliases[id] ?? "none"), there \(other.aliases[id] ?? "none")")
    }
    return lines
  }
}
