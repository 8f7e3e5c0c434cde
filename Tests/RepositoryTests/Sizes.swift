import Testing

/// No file, function or line is too long to read comfortably.
enum Sizes {
  static let linesMax = 500
  static let functionLinesMax = 70
  static let columnsMax = 100

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift || file.isC || file.isScript else { return [] }
    let functions = file.folder == "Sources" ? longFunctions(in: file) : []
    return longFile(file) + longLines(in: file) + functions
  }

  private static func longFile(_ file: SourceFile) -> [Finding] {
    guard file.lineCount > linesMax else { return [] }
    return [file.finding("\(file.lineCount) lines; the limit is \(linesMax)")]
  }

  private static func longLines(in file: SourceFile) -> [Finding] {
    file.lines.enumerated().compactMap { index, line in
      guard line.utf8.count > columnsMax, line.count > columnsMax else { return nil }
      return file.finding("\(line.count) columns; the limit is \(columnsMax)", line: index + 1)
    }
  }

  private static func longFunctions(in file: SourceFile) -> [Finding] {
    let functions = file.isSwift ? Bodies.ofSwift(file.code) : Bodies.ofC(file.code)
    return functions.filter { $0.count > functionLinesMax }.map { lines in
      let message = "a function of \(lines.count) lines; the limit is \(functionLinesMax)"
      return file.finding(message, line: lines.lowerBound)
    }
  }
}

@Suite struct SizesTests {
  @Test func repository() throws {
    expectNone(try Repository.current.get().files.flatMap(Sizes.findings))
  }

  private func findings(_ path: String, _ lines: [String]) -> [String] {
    let file = SourceFile(path, lines.joined(separator: "\n") + "\n")
    return Sizes.findings(in: file).map(\.description)
  }

  @Test func file_overLimit() {
    let line = "let a = 1"
    #expect(findings("Tests/A.swift", Array(repeating: line, count: 500)) == [])
    #expect(
      findings("Tests/A.swift", Array(repeating: line, count: 501))
        == ["Tests/A.swift: 501 lines; the limit is 500"])
  }

  @Test(arguments: ["Sources/A/A.swift", "Sources/C/a.c", "Sources/C/a.h", "Scripts/a"])
  func line_overLimit(path: String) {
    let line = "// " + String(repeating: "é", count: 97)
    #expect(findings(path, ["", line]) == [])
    #expect(findings(path, ["", line + "e"]) == ["\(path):2: 101 columns; the limit is 100"])
  }

  @Test func line_ofOtherFile() {
    #expect(findings("README.md", [String(repeating: "a", count: 200)]) == [])
  }

  @Test(arguments: [
    "func a(_ b: () -> Void = { print() })\n    throws(E) -> [Int]\n  where T: P {",
    "init?(a: Int) {", "deinit {", "subscript(at a: Int) -> Int {", "var a: Int {",
    "static func == (a: A, b: A) -> Bool {",
  ])
  func function_overLimit(head: String) {
    let opening = head.split(separator: "\n").map(String.init)
    let rest = Array(repeating: "  if a { b() }", count: 69 - opening.count)
    let path = "Sources/A/A.swift"
    #expect(findings(path, ["x"] + opening + rest + ["}"]) == [])
    #expect(
      findings(path, ["x"] + opening + rest + ["", "}"])
        == ["\(path):2: a function of 71 lines; the limit is 70"])
    #expect(findings("Tests/A/A.swift", ["x"] + opening + rest + ["", "}"]) == [])
  }

  @Test func function_ofC() {
    let lines = ["int a(void) {"] + Array(repeating: "  b();", count: 69)
    #expect(findings("Sources/C/a.c", lines + ["}"]).count == 1)
    #expect(findings("Sources/C/a.c", lines.dropLast() + ["}"]) == [])
  }

  @Test func function_withoutBodyEndsNowhere() {
    let requirements = ["  var a: Int", "  func b() -> Int", "  init(c: Int)", "  var d: Int = 1"]
    let calls = ["  self.init(c: 1)", "  A.init(c: 1)", "  kind.var"]
    let rest = ["  if a {"] + Array(repeating: "", count: 80) + ["}"]
    for line in requirements + calls {
      #expect(findings("Sources/A/A.swift", [line] + rest) == [], "\(line)")
    }
  }
}
