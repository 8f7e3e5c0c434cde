import Testing

/// The entries at the top of the repository, and the length of its README.
enum Layout {
  static let top: Set = ["Package.swift", "Sources", "Tests", "Benchmarks", "Scripts", "README.md"]
  static let readmeLinesMax = 120

  /// Checks `names`, the top-level names that don't begin with a dot.
  static func findings(top names: [String]) -> [Finding] {
    let missing = top.subtracting(names).sorted().map {
      Finding(path: $0, line: 0, message: "missing at the top")
    }
    let strange = Set(names).subtracting(top).sorted().map {
      Finding(path: $0, line: 0, message: "has no place at the top")
    }
    return missing + strange
  }

  static func findings(readme file: SourceFile) -> [Finding] {
    guard file.lineCount > readmeLinesMax else { return [] }
    return [file.finding("\(file.lineCount) lines; the limit is \(readmeLinesMax)")]
  }
}

@Suite struct LayoutTests {
  @Test func repository() throws {
    let repository = try Repository.current.get()
    let readme = repository.files.filter { $0.path == "README.md" }
    expectNone(Layout.findings(top: repository.top) + readme.flatMap(Layout.findings(readme:)))
  }

  @Test func top_withMoreOrLess() {
    let names = ["Benchmarks", "Package.swift", "README.md", "Scripts", "Sources", "Tests"]
    #expect(Layout.findings(top: names) == [])
    #expect(
      Layout.findings(top: names.dropLast() + ["docs"]).map(\.description)
        == ["Tests: missing at the top", "docs: has no place at the top"])
  }

  @Test func readme_overLimit() {
    let lines = String(repeating: "a\n", count: 120)
    #expect(Layout.findings(readme: SourceFile("README.md", lines)) == [])
    #expect(
      Layout.findings(readme: SourceFile("README.md", lines + "a")).map(\.description)
        == ["README.md: 121 lines; the limit is 120"])
  }
}
