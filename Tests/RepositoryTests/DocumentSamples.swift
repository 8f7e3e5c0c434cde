import Testing

/// Code shown in documents is code that tests run.
///
/// Every Swift block in a document is part of a test, enclosed by two comments: `// Recipes.md
/// begins` and `// Recipes.md ends`. Its indentation there doesn't count, nor do imports before it.
enum DocumentSamples {
  /// A part of a document or of a program.
  struct Sample: Hashable {
    /// The document's name.
    let document: String
    let text: String
  }

  /// Returns the Swift blocks of a document, and the lines they begin on.
  static func blocks(in document: SourceFile) -> [(sample: Sample, line: Int)] {
    parts(of: document, from: "```swift", to: "```").map { start, lines in
      (Sample(document: name(of: document), text: outdented(lines)), start)
    }
  }

  /// Returns the parts of a program that the document shows.
  static func parts(in program: SourceFile, of document: String) -> [(sample: Sample, line: Int)] {
    let marks = ("// \(document) begins", "// \(document) ends")
    return parts(of: program, from: marks.0, to: marks.1).map { start, lines in
      (Sample(document: document, text: outdented(lines)), start)
    }
  }

  static func name(of file: SourceFile) -> String {
    file.path.split(separator: "/").last.map(String.init) ?? ""
  }

  /// Returns the lines between each pair of marks, and where they begin.
  private static func parts(
    of file: SourceFile, from first: String, to last: String
  ) -> [(Int, [Substring])] {
    var parts: [(Int, [Substring])] = []
    var open: Int?
    for (index, line) in file.lines.enumerated() {
      let mark = line.drop { $0 == " " }
      if open == nil, mark == first {
        open = index + 1
      } else if let start = open, mark == last {
        parts.append((start + 1, Array(file.lines[start..<index])))
        open = nil
      }
    }
    return parts
  }

  /// Removes common indentation and leading imports from the lines.
  private static func outdented(_ lines: [Substring]) -> String {
    let lines = lines.drop { $0.isEmpty || $0.hasPrefix("import ") }
    let depth = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { $0.dropFirst(depth) }.joined(separator: "\n")
  }

  /// Returns blocks that no test runs, and parts of tests that no document shows.
  static func findings(_ documents: [SourceFile], _ programs: [SourceFile]) -> [Finding] {
    documents.flatMap { document in
      let blocks = blocks(in: document).filter { !$0.sample.text.isEmpty }
      let parts = programs.flatMap { program in
        Self.parts(in: program, of: name(of: document)).map { (program, $0) }
      }
      let run = Set(parts.map { $0.1.sample })
      let shown = Set(blocks.map(\.sample))
      let dead = blocks.filter { !run.contains($0.sample) }.map {
        document.finding("no test runs this as it stands here", line: $0.line)
      }
      let hidden = parts.filter { !shown.contains($0.1.sample) }.map { program, part in
        program.finding("\(name(of: document)) does not show this so", line: part.line)
      }
      return dead + hidden
    }
  }
}

@Suite struct DocumentSamplesTests {
  @Test func repository() throws {
    let files = try Repository.current.get().files
    let documents = files.filter {
      $0.path == "README.md" || $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".md")
    }
    let programs = files.filter { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") }
    #expect(documents.flatMap(DocumentSamples.blocks).count > 40)
    expectNone(DocumentSamples.findings(documents, programs))
  }

  private let program = SourceFile(
    "Tests/A.swift", "f {\n  // A.md begins\n  a {\n\n    b\n  }\n  // A.md ends\n}\n")

  @Test func block_isAPart() {
    let document = SourceFile("A.md", "```swift\nimport B\n```\n```swift\na {\n\n  b\n}\n```\n")
    #expect(DocumentSamples.findings([document], [program]) == [])
  }

  @Test func block_isAnother() {
    let document = SourceFile("A.md", "x\n```swift\na {\n  b\n}\n```\n```sh\na\n```\n")
    #expect(
      DocumentSamples.findings([document], [program]).map(\.description) == [
        "A.md:3: no test runs this as it stands here",
        "Tests/A.swift:3: A.md does not show this so",
      ])
    #expect(DocumentSamples.findings([SourceFile("B.md", "")], [program]) == [])
  }
}
