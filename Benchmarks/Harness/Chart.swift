/// The findings of one workload as bars, one group per unit, in SVG.
package struct Chart: Sendable {
  private let title: String
  private let caption: String
  private let groups: [Group]
  /// The cases that have to reach something; the others are there to be looked up to.
  private let judged: Set<String>

  private struct Group {
    let unit: String
    let findings: [Finding]
    /// The largest value that has to fit in.
    let scale: Double
  }

  private enum Layout {
    static let width = 880.0
    static let margin = 20.0
    static let barLeft = 270.0
    static let barRight = 600.0
    static let rowHeight = 26.0
    static let headHeight = 66.0
    static let groupHeight = 38.0
  }

  /// - Parameter caption: what the figures were taken on.
  package init(title: String, caption: String, _ findings: [Finding]) {
    self.title = title
    self.caption = caption
    judged = Set(findings.filter { $0.claim.target != nil }.map(\.name))
    let shown = findings.filter { $0.values != nil }
    var units: [String] = []
    for finding in shown where !units.contains(finding.claim.metric.unit) {
      units.append(finding.claim.metric.unit)
    }
    groups = units.map { unit in
      let members = shown.filter { $0.claim.metric.unit == unit }
      let scale = members.compactMap(\.values?.maximum).max() ?? 0
      return Group(unit: unit, findings: members, scale: scale > 0 ? scale : 1)
    }
  }

  /// The picture, complete.
  package var svg: String {
    var y = Layout.headHeight
    var body = ""
    for group in groups {
      body += Drawing.text(Layout.margin, y + 14, "group", group.unit + direction(group))
      y += Layout.groupHeight - 12
      for finding in group.findings {
        body += row(finding, in: group, at: y)
        y += Layout.rowHeight
      }
      y += 12
    }
    return Drawing.frame(
      width: Layout.width, height: y + Layout.margin / 2, style: Self.style,
      Drawing.text(Layout.margin, 30, "title", title)
        + Drawing.text(Layout.margin, 50, "faint", caption) + body)
  }

  private static let style = """
    .group { font-weight: 600; }
    .peer { fill: #a8b3bf; } .own { fill: #4778b3; } .missed { fill: #c4432b; }
    .spread { stroke: #57606a; stroke-width: 1.5; }
    .target { stroke: #24292f; stroke-width: 2.5; }

    """

  private func row(_ finding: Finding, in group: Group, at y: Double) -> String {
    guard let values = finding.values else { return "" }
    let middle = y + 10
    let target = finding.claim.target?.bound(peer: peerMedian(of: finding, in: group))
    var row = Drawing.text(Layout.margin, middle + 4, "", finding.name)
    row += bar(from: y + 2, to: position(values.median, group), style(of: finding))
    row += Drawing.line(
      "spread", (position(values.minimum, group), middle),
      (position(values.maximum, group), middle))
    if let target, target <= group.scale {
      let x = position(target, group)
      row += Drawing.line("target", (x, y - 1), (x, y + 21))
    }
    return row
      + Drawing.text(
        Layout.barRight + 10, middle + 4, "faint", remark(on: finding, values.median))
  }

  private func bar(from top: Double, to right: Double, _ style: String) -> String {
    let width = Drawing.number(max(right - Layout.barLeft, 1))
    return """
      <rect class="\(style)" x="\(Drawing.number(Layout.barLeft))" y="\(Drawing.number(top))" \
      width="\(width)" height="16"/>

      """
  }

  /// The median, and what it is beside the peer's.
  private func remark(on finding: Finding, _ median: Double) -> String {
    guard let ratio = finding.ratio, let peer = finding.claim.peer else { return figure(median) }
    return "\(figure(median)), \(figure(ratio))× \(peer)"
  }

  private func style(of finding: Finding) -> String {
    if finding.met == false { return "missed" }
    return judged.contains(finding.name) ? "own" : "peer"
  }

  private func direction(_ group: Group) -> String {
    group.findings.first?.claim.metric == .rate ? ", longer is better" : ", shorter is better"
  }

  private func peerMedian(of finding: Finding, in group: Group) -> Double? {
    group.findings.first { $0.name == finding.claim.peer }?.values?.median
  }

  private func position(_ value: Double, _ group: Group) -> Double {
    Layout.barLeft + (Layout.barRight - Layout.barLeft) * value / group.scale
  }
}
