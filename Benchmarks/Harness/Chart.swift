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
      body += text(Layout.margin, y + 14, "group", group.unit + direction(group))
      y += Layout.groupHeight - 12
      for finding in group.findings {
        body += row(finding, in: group, at: y)
        y += Layout.rowHeight
      }
      y += 12
    }
    return frame(height: y + Layout.margin / 2, body)
  }

  private func frame(height: Double, _ body: String) -> String {
    let size = "\(number(Layout.width)) \(number(height))"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" \
      width="\(number(Layout.width))" height="\(number(height))">
      <style>
      text { font: 13px system-ui, "Helvetica Neue", "DejaVu Sans", sans-serif; fill: #24292f; }
      .title { font-size: 17px; font-weight: 600; }
      .group { font-weight: 600; }
      .faint { font-size: 12px; fill: #57606a; }
      .peer { fill: #a8b3bf; } .own { fill: #4778b3; } .missed { fill: #c4432b; }
      .spread { stroke: #57606a; stroke-width: 1.5; }
      .target { stroke: #24292f; stroke-width: 2.5; }
      </style>
      <rect width="100%" height="100%" fill="#ffffff"/>
      \(text(Layout.margin, 30, "title", title))\
      \(text(Layout.margin, 50, "faint", caption))\
      \(body)</svg>

      """
  }

  private func row(_ finding: Finding, in group: Group, at y: Double) -> String {
    guard let values = finding.values else { return "" }
    let middle = y + 10
    let target = finding.claim.target?.bound(peer: peerMedian(of: finding, in: group))
    var row = text(Layout.margin, middle + 4, "", finding.name)
    row += bar(from: y + 2, to: position(values.median, group), style(of: finding))
    row += line("spread", position(values.minimum, group), middle, position(values.maximum, group))
    if let target, target <= group.scale {
      let x = position(target, group)
      row += "<line class=\"target\" x1=\"\(number(x))\" x2=\"\(number(x))\" "
      row += "y1=\"\(number(y - 1))\" y2=\"\(number(y + 21))\"/>\n"
    }
    return row + text(Layout.barRight + 10, middle + 4, "faint", remark(on: finding, values.median))
  }

  private func bar(from top: Double, to right: Double, _ style: String) -> String {
    let width = number(max(right - Layout.barLeft, 1))
    return """
      <rect class="\(style)" x="\(number(Layout.barLeft))" y="\(number(top))" \
      width="\(width)" height="16"/>

      """
  }

  private func line(_ style: String, _ left: Double, _ y: Double, _ right: Double) -> String {
    """
    <line class="\(style)" x1="\(number(left))" x2="\(number(right))" \
    y1="\(number(y))" y2="\(number(y))"/>

    """
  }

  private func text(_ x: Double, _ y: Double, _ style: String, _ content: String) -> String {
    "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\">\(escaped(content))</text>\n"
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

  /// A coordinate to a tenth of a pixel.
  private func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }

  private func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}
