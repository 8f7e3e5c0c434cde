import Testing

/// Unsafe code and unchecked promises are confined to one module, and to the files that each call
/// another library, or the system in a way no other file needs.
enum Safety {
  static let boundaries: Set = [
    "Sources/Processes/ChildProcess.swift",
    "Sources/TidelineServer/Serving/Daemon.swift",
    "Sources/TidelineHTTP/Transport/Curl/CurlHandles.swift",
  ]
  static let uncheckedMax = 3

  static func findings(in files: [SourceFile]) -> [Finding] {
    let unchecked = files.flatMap(unchecked)
    let excess = unchecked.dropFirst(uncheckedMax).map { place in
      place.file.finding("more than \(uncheckedMax) `@unchecked Sendable`", line: place.line)
    }
    return files.flatMap(unsafe) + unchecked.compactMap(unproven) + excess
  }

  private struct Place {
    let file: SourceFile
    let line: Int
    let proof: String
  }

  /// Finds unsafe expressions outside their module; benchmarks may measure raw calls.
  private static func unsafe(in file: SourceFile) -> [Finding] {
    guard file.folder == "Sources", file.module != "LMDB", !boundaries.contains(file.path) else {
      return []
    }
    return file.code.filter { token in
      token.kind == .word && (token.text == "unsafe" || token.text.hasPrefix("withUnsafe"))
    }.map { file.finding("`\($0.text)` outside LMDB", line: $0.line) }
  }

  private static func unchecked(in file: SourceFile) -> [Place] {
    let tokens = file.tokens
    return tokens.places(of: ["@", "unchecked", "Sendable"]).map { index in
      Place(file: file, line: tokens[index].line, proof: comment(before: index, in: tokens))
    }
  }

  private static func unproven(_ place: Place) -> Finding? {
    if place.file.module != "LMDB" {
      return place.file.finding("`@unchecked Sendable` outside LMDB", line: place.line)
    }
    guard !place.proof.contains("Proof:") else { return nil }
    return place.file.finding("`@unchecked Sendable` without a \"Proof:\"", line: place.line)
  }

  /// Returns the comments directly above the declaration containing the token at `index`.
  private static func comment(before index: Int, in tokens: [Token]) -> String {
    let head = tokens[..<index].reversed()
      .prefix { $0.kind != .comment && !["{", "}", ";"].contains($0.text) }
    var below = head.last?.line ?? tokens[index].line
    var text = ""
    for token in tokens[..<(index - head.count)].reversed() {
      guard token.kind == .comment, token.lines.upperBound == below - 1 else { break }
      text = token.text + text
      below = token.line
    }
    return text
  }
}

@Suite struct SafetyTests {
  @Test func repository() throws {
    expectNone(Safety.findings(in: try Repository.current.get().shipped))
  }

  private func findings(_ path: String, _ text: String) -> [String] {
    Safety.findings(in: [SourceFile(path, text)]).map(\.description)
  }

  @Test(arguments: [
    "unsafe a()", "a.withUnsafeBytes { _ in }", "nonisolated(unsafe) var a = 1", "@unsafe func a()",
    "\"\\(unsafe a)\"",
  ])
  func unsafe_onlyInLMDB(text: String) {
    for path in ["Sources/EventStore/A.swift", "Sources/LMDBTools/A.swift"] {
      #expect(findings(path, "\n\n" + text).count == 1)
      #expect(findings(path, "\n\n" + text).allSatisfy { $0.contains(":3: ") })
    }
    let allowed = ["Sources/LMDB/A.swift", "Sources/LMDB/B/A.swift", "Benchmarks/A.swift"]
    for path in allowed + Safety.boundaries.sorted() {
      #expect(findings(path, text) == [])
    }
  }

  @Test(arguments: ["// unsafe", "\"unsafe\"", "/// withUnsafeBytes"])
  func unsafe_asText(text: String) {
    #expect(findings("Sources/EventStore/A.swift", text) == [])
  }

  @Test func unchecked_needsProof() {
    let type = "final class A: @unchecked Sendable {}"
    let path = "Sources/LMDB/A.swift"
    let missing = "`@unchecked Sendable` without a \"Proof:\""
    #expect(findings(path, "// Proof: b\n" + type) == [])
    #expect(findings(path, "/// A.\n// Proof: b\n// c\n@safe\npublic " + type) == [])
    #expect(findings(path, type) == ["\(path):1: \(missing)"])
    #expect(findings(path, "// A.\n" + type) == ["\(path):2: \(missing)"])
    #expect(findings(path, "// Proof: b\n\n" + type) == ["\(path):3: \(missing)"])
    #expect(findings(path, "// Proof: b\nlet b = { 1 }\n" + type) == ["\(path):3: \(missing)"])
  }

  @Test func unchecked_onlyInLMDB() {
    let text = "// Proof: b\nextension A: @unchecked Sendable {}"
    for path in ["Sources/EventStore/A.swift", "Benchmarks/A.swift"] {
      #expect(findings(path, text) == ["\(path):2: `@unchecked Sendable` outside LMDB"])
    }
  }

  @Test func unchecked_atMostThree() {
    let text = "// Proof: b\nextension A: @unchecked Sendable {}\n"
    #expect(findings("Sources/LMDB/A.swift", String(repeating: text, count: 3)) == [])
    #expect(findings("Sources/LMDB/A.swift", String(repeating: text, count: 4)).count == 1)
  }
}
