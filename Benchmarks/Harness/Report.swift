/// All findings of a run on one machine.
package struct Report: Sendable {
  private let machine: Machine
  private var sections: [Section] = []

  private struct Section {
    let workload: Workload
    let size: Int
    let findings: [Finding]
  }

  package init(machine: Machine) { self.machine = machine }

  /// Adds the findings of a workload.
  package mutating func append(_ workload: Workload, size: Int, _ findings: [Finding]) {
    sections.append(Section(workload: workload, size: size, findings: findings))
  }

  /// All findings.
  package var findings: [Finding] { sections.flatMap(\.findings) }

  /// The findings that miss their targets.
  package var missed: [Finding] { findings.filter { $0.met == false } }

  /// The findings with a target that this platform could not measure.
  package var unjudged: [Finding] {
    findings.filter { $0.claim.target != nil && $0.values == nil }
  }

  /// The last workload's table, under a heading.
  package var lastTable: String {
    sections.last.map { "\(heading($0))\n\(Table($0.findings).text)" } ?? ""
  }

  /// One chart per workload, by name.
  package var charts: [(name: String, svg: String)] {
    sections.map { section in
      let chart = Chart(
        title: heading(section), caption: machine.line, section.findings)
      return (section.workload.name, chart.svg)
    }
  }

  /// A chart of cost by size for each workload that measures it.
  package var curves: [Curves] {
    sections.compactMap { section in
      Curves(title: heading(section), caption: machine.line, section.findings)
    }
  }

  private func heading(_ section: Section) -> String {
    "\(section.workload.name), \(grouped(section.size)) events: \(section.workload.summary)"
  }
}
