import Testing

/// Processes are begun in one place, one after the other, so that none inherits what another's end
/// is noticed by.
enum Processes {
  static let beginning = "Tests/TestSupport/Process+Beginning.swift"

  static func findings(in files: [SourceFile]) -> [Finding] {
    files.filter { $0.folder == "Tests" && $0.path != beginning }.flatMap { file in
      file.tokens.places(of: ["Process", "(", ")"]).map { place in
        file.finding("a process of its own: use `Process.begun`", line: file.tokens[place].line)
      }
    }
  }
}

@Suite struct ProcessesTests {
  @Test func repository() throws {
    expectNone(Processes.findings(in: try Repository.current.get().files.filter(\.isSwift)))
  }

  @Test func process_isBegunInOnePlace() {
    let text = "let process = Process()"
    func count(_ path: String) -> Int { Processes.findings(in: [SourceFile(path, text)]).count }
    #expect(count("Tests/EventStoreTests/A.swift") == 1)
    #expect(count(Processes.beginning) == 0)
    #expect(count("Benchmarks/Role.swift") == 0)
    let begun = SourceFile("Tests/A/A.swift", "try Process.begun { _ in }")
    #expect(Processes.findings(in: [begun]).isEmpty)
  }
}
