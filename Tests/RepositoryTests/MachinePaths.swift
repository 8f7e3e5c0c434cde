import Testing

/// No file names a folder of the machine it was written on.
enum MachinePaths {
  static func findings(in file: SourceFile) -> [Finding] {
    let forbidden = file.folder == "Tests" ? [work] : [work, temporary]
    return file.lines.enumerated().flatMap { index, line in
      forbidden.filter { names($0, in: line) }.map {
        file.finding("names \($0), a folder of one machine", line: index + 1)
      }
    }
  }

  /// Joined from parts, so that this file is not a finding itself.
  private static let work = ["", "work", ""].joined(separator: "/")

  /// Tests may create folders here.
  private static let temporary = "/tmp/"

  /// Whether the path begins in the line, rather than continuing a longer path.
  private static func names(_ path: String, in line: Substring) -> Bool {
    guard line.utf8.contains(UInt8(ascii: "/")) else { return false }
    return line.ranges(of: path).contains { range in
      guard range.lowerBound > line.startIndex else { return true }
      let before = line[line.index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber && !"_-.}".contains(before)
    }
  }
}

@Suite struct MachinePathsTests {
  @Test func repository() throws {
    expectNone(try Repository.current.get().files.flatMap(MachinePaths.findings))
  }

  private func lines(_ path: String, _ text: String) -> [Int] {
    MachinePaths.findings(in: SourceFile(path, text)).map(\.line)
  }

  @Test(arguments: ["Sources/A/A.swift", "README.md", "Scripts/a", ".swift-format"])
  func folder_ofMachine(path: String) {
    #expect(lines(path, "a\nb \"" + "/work" + "/a\"\n/tmp/b\n") == [2, 3])
    #expect(lines(path, "frame" + "/work" + "/a, ${TMPDIR}/tmp/b, /network/") == [])
  }

  @Test func folder_inTests() {
    #expect(lines("Tests/A/A.swift", "/tmp/a\n" + "/work" + "/a") == [2])
  }
}
