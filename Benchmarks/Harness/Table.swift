/// Text in aligned columns.
package struct Table: Sendable {
  /// A column's heading and alignment.
  package struct Column: Sendable {
    package let title: String
    package let keepsRight: Bool

    package init(_ title: String, keepsRight: Bool = false) {
      self.title = title
      self.keepsRight = keepsRight
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row, with one text per column.
  package mutating func append(_ row: [String]) {
    precondition(row.count == columns.count, "a row has one text per column")
    rows.append(row)
  }

  /// The headings and rows, with two spaces between columns; empty columns are left out.
  package var text: String {
    let shown = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    let lines = [columns.map(\.title)] + rows
    let widths = columns.indices.map { column in lines.map(\.[column].count).max() ?? 0 }
    return lines.map { line in
      let cells = shown.map { padded(line[$0], to: widths[$0], right: columns[$0].keepsRight) }
      return trimmed(cells.joined(separator: "  ")) + "\n"
    }.joined()
  }

  private func padded(_ text: String, to width: Int, right: Bool) -> String {
    let space = String(repeating: " ", count: width - text.count)
    return right ? space + text : text + space
  }

  private func trimmed(_ line: String) -> String {
    let end = line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex
    return String(line[..<end])
  }
}

extension Table {
  /// Creates the report for people.
  package init(_ findings: [Finding]) {
    self.init([
      Column("case"), Column("median", keepsRight: true), Column("min", keepsRight: true),
      Column("max", keepsRight: true), Column("p99", keepsRight: true), Column("unit"),
      Column("ratio", keepsRight: true), Column("against"), Column("target"), Column("met"),
      Column("result"),
    ])
    var last = ""
    for finding in findings {
      append(Self.row(finding, isFirst: finding.name != last))
      last = finding.name
    }
  }

  private static func row(_ finding: Finding, isFirst: Bool) -> [String] {
    let values = finding.values
    return [
      isFirst ? finding.name : "",
      values.map { figure($0.median) } ?? "absent",
      values.map { figure($0.minimum) } ?? "",
      values.map { figure($0.maximum) } ?? "",
      finding.tail.map(figure) ?? "",
      finding.claim.metric.unit,
      finding.ratio.map { figure($0) + "×" } ?? "",
      finding.claim.peer ?? "",
      finding.claim.target?.description ?? "",
      finding.met.map { $0 ? "yes" : "NO" } ?? "",
      isFirst ? String(finding.digest, radix: 16) : "",
    ]
  }
}
