import Testing

/// Scripts run anywhere, and stop at the first error.
enum Scripts {
  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isScript else { return [] }
    var findings: [Finding] = []
    if file.lines.first != "#!/usr/bin/env bash" {
      findings.append(file.finding("begins with something else than #!/usr/bin/env bash", line: 1))
    }
    let first = file.lines.enumerated().first { !$0.element.isEmpty && !$0.element.hasPrefix("#") }
    if first?.element != "set -euo pipefail" {
      let line = (first?.offset ?? 0) + 1
      findings.append(file.finding("does not set -euo pipefail before all else", line: line))
    }
    if !file.isExecutable { findings.append(file.finding("is not executable")) }
    return findings
  }
}

@Suite struct ScriptsTests {
  @Test func repository() throws {
    expectNone(try Repository.current.get().files.flatMap(Scripts.findings))
  }

  private func findings(_ path: String, _ text: String, isExecutable: Bool = true) -> [Int] {
    Scripts.findings(in: SourceFile(path, text, isExecutable: isExecutable)).map(\.line)
  }

  @Test(arguments: ["Scripts/a", "Scripts/a.sh", ".ci/a"])
  func script_thatGoesOn(path: String) {
    let good = "#!/usr/bin/env bash\n# A.\n\nset -euo pipefail\na\n"
    #expect(findings(path, good) == [])
    #expect(findings(path, good, isExecutable: false) == [0])
    #expect(findings(path, "#!/bin/sh\nset -euo pipefail\n") == [1])
    #expect(findings(path, "#!/usr/bin/env bash\nset -e\n") == [2])
    #expect(findings(path, "#!/usr/bin/env bash\na\nset -euo pipefail\n") == [2])
    #expect(findings(path, "", isExecutable: false) == [1, 1, 0])
  }

  @Test func script_orOther() {
    #expect(findings("Sources/A/a", "") == [])
    #expect(findings(".ci/settings.yml", "") == [])
  }
}
