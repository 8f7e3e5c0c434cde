import Pictures

/// A bar chart of one workload's findings in SVG, with one group per unit.
package struct Chart: Sendable {
  private let title: String
  private let caption: String
  private let findings: [Finding]
  /// The cases with a target; the others are for comparison.
  private let judged: Set<String>

  /// - Parameter caption: The machine on which the figures were taken.
  package init(title: String, caption: String, _ findings: [Finding]) {
    self.title = title
    self.caption = caption
    judged = Set(findings.filter { $0.claim.target != nil }.map(\.name))
    self.findings = findings.filter { $0.values != nil }
  }

  /// The complete picture.
  package var svg: String {
    var units: [String] = []
    for finding in findings where !units.contains(finding.claim.metric.unit) {
      units.append(finding.claim.metric.unit)
    }
    let groups = units.map { unit in
      group(unit, findings.filter { $0.claim.metric.unit == unit })
    }
    return Bars(title: title, caption: caption, groups).svg
  }

  private func group(_ unit: String, _ members: [Finding]) -> Bars.Group {
    let isRate = members.first?.claim.metric == .rate
    let heading = unit + (isRate ? ", longer is better" : ", shorter is better")
    return Bars.Group(heading, members.compactMap { bar($0, among: members) })
  }

  private func bar(_ finding: Finding, among members: [Finding]) -> Bars.Bar? {
    guard let values = finding.values else { return nil }
    let peer = members.first { $0.name == finding.claim.peer }?.values?.median
    var bar = Bars.Bar(
      finding.name, values.median, remark(on: finding, values.median), role(of: finding))
    bar.spread = values.minimum...values.maximum
    bar.target = finding.claim.target?.bound(peer: peer)
    return bar
  }

  /// Returns the median, and its ratio to the peer's.
  private func remark(on finding: Finding, _ median: Double) -> String {
    guard let ratio = finding.ratio, let peer = finding.claim.peer else { return figure(median) }
    return "\(figure(median)), \(figure(ratio))× \(peer)"
  }

  private func role(of finding: Finding) -> Bars.Role {
    if finding.met == false { return .missed }
    return judged.contains(finding.name) ? .own : .peer
  }
}
