import Testing

/// Code starts processes with `ChildProcess`, because Foundation's `Process` sometimes crashes.
enum Processes {
  static func findings(in files: [SourceFile]) -> [Finding] {
    files.flatMap { file in
      file.tokens.places(of: ["Process", "("]).map { place in
        file.finding("Foundation's process: use `ChildProcess`", line: file.tokens[place].line)
      }
    }
  }
}

@Suite struct ProcessesTests {
  @Test func repository() throws {
    expectNone(Processes.findings(in: try Repository.current.get().files.filter(\.isSwift)))
  }

  @Test(arguments: ["Sources/A/A.swift", "Tests/EventStoreTests/A.swift", "Benchmarks/Role.swift"])
  func process_isOfTheHouse(path: String) {
    func count(_ text: String) -> Int { Processes.findings(in: [SourceFile(path, text)]).count }
    #expect(count("let process = Process()") == 1)
    #expect(count("let process = try ChildProcess(path)") == 0)
  }
}
