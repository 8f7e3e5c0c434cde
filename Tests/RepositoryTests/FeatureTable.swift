import Foundation
import Testing

/// The tables of features and rules: what each is, and which tests prove it.
///
/// A test says by its traits what it proves, `@Test(.feature(5, 94), .rule(1))`; the last cell of a
/// row names the tests that do.
enum FeatureTable {
  static let path = "Sources/Tideline/Tideline.docc/Features.md"
  /// What is written in place of tests where there are none.
  static let nothing = "*no test*"
  /// How many rows each table has, by the trait's name.
  static let counts = ["feature": 100, "rule": 20]

  /// A row: the trait's name and a number.
  struct Row: Hashable, Comparable, CustomStringConvertible {
    let table: String
    let number: Int

    /// The first cell.
    var name: String { table == "rule" ? "R\(number)" : "\(number)" }
    var description: String { "\(table) \(number)" }
    static func < (a: Row, b: Row) -> Bool { (a.table, a.number) < (b.table, b.number) }
  }

  /// All that there must be.
  static let rows = counts.sorted { $0.key < $1.key }.flatMap { table, count in
    (1...count).map { Row(table: table, number: $0) }
  }

  /// The tests of each row, in order.
  static func proofs(in files: [SourceFile]) -> [Row: [String]] {
    var proofs: [Row: Set<String>] = [:]
    for file in files {
      for (row, test) in claims(in: file.code) { proofs[row, default: []].insert(test) }
    }
    return proofs.mapValues { $0.sorted() }
  }

  /// What the tests of a file claim to prove.
  private static func claims(in code: [Token]) -> [(Row, String)] {
    TestClaim.all(of: Set(counts.keys), in: code).flatMap { claim in
      claim.words.compactMap { Int($0) }.map { (Row(table: claim.trait, number: $0), claim.test) }
    }
  }

  /// The lines of the tables as the tests would have them.
  static func lines(of table: SourceFile, with proofs: [Row: [String]]) -> [String] {
    table.lines.map { line in
      guard let (row, cells) = row(of: line) else { return String(line) }
      let tests = (proofs[row] ?? []).map { "`\($0)`" }.joined(separator: ", ")
      return "| \(row.name) | \(cells[1]) | \(tests.isEmpty ? nothing : tests) |"
    }
  }

  /// The row that a line is, and its cells.
  private static func row(of line: Substring) -> (Row, [String])? {
    guard line.hasPrefix("| "), line.hasSuffix(" |") else { return nil }
    let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
    guard cells.count == 3 else { return nil }
    let isRule = cells[0].hasPrefix("R")
    guard let number = Int(isRule ? cells[0].dropFirst() : cells[0][...]) else { return nil }
    return (Row(table: isRule ? "rule" : "feature", number: number), cells)
  }

  /// What is missing, twice there, proved by no test, or not what the tests say.
  static func findings(in table: SourceFile, _ proofs: [Row: [String]]) -> [Finding] {
    let there = table.lines.compactMap { row(of: $0)?.0 }
    let missing = Set(rows).subtracting(there).sorted().map { table.finding("no row: \($0)") }
    let unproved = Set(rows).subtracting(proofs.keys).sorted().map {
      table.finding("no test proves \($0)")
    }
    let strange = Set(proofs.keys).subtracting(rows).sorted().map {
      table.finding("there is no \($0), which \(proofs[$0]?.first ?? "") proves")
    }
    let twice = Dictionary(grouping: there, by: \.self).filter { $1.count > 1 }.keys.sorted().map {
      table.finding("twice: \($0)")
    }
    let wanted = lines(of: table, with: proofs)
    let other = zip(table.lines, wanted).enumerated().filter { $1.0 != $1.1 }.map { index, pair in
      table.finding("must be \(pair.1)", line: index + 1)
    }
    return missing + unproved + strange + twice + other
  }
}

@Suite struct FeatureTableTests {
  /// Run with `TIDELINE_WRITE=1` in the environment, it writes the tests into the tables.
  @Test func repository() throws {
    let repository = try Repository.current.get()
    let table = try #require(repository.files.first { $0.path == FeatureTable.path })
    let tests = repository.files.filter { $0.isSwift && $0.path.hasPrefix("Tests/") }
    let proofs = FeatureTable.proofs(in: tests)
    guard ProcessInfo.processInfo.environment["TIDELINE_WRITE"] == nil else {
      let text = FeatureTable.lines(of: table, with: proofs).joined(separator: "\n")
      return try Data(text.utf8).write(to: Repository.root.appending(path: table.path))
    }
    expectNone(FeatureTable.findings(in: table, proofs))
  }

  private let tests = SourceFile(
    "Tests/A.swift",
    """
    @Suite struct A {
      private struct B { func c() {} }
      @Test(.feature(2, 3), .rule(1)) func d() { e(.f) }
      @Test(arguments: [1]) func g() {}
    }
    extension H {
      @Test(.timeLimit(.minutes(5)), .feature(3), arguments: [4])
      func i() {}
    }
    """)

  @Test func proofs_areThoseOfTraits() {
    let proofs = FeatureTable.proofs(in: [tests])
    let lines = proofs.sorted { $0.key < $1.key }.map { "\($0): \($1.joined(separator: " "))" }
    #expect(lines == ["feature 2: A.d", "feature 3: A.d H.i", "rule 1: A.d"])
  }

  @Test func lines_areOtherwise() {
    let rows = FeatureTable.rows.dropFirst().map { "| \($0.name) | x | *no test* |" }
    let text = (rows + ["| 3 | y | |", "| 2 | y | *no test* | z |"]).joined(separator: "\n")
    let table = SourceFile("T.md", text)
    let lines = FeatureTable.findings(in: table, FeatureTable.proofs(in: [tests]))
    let (unproved, others) = (lines[1...117], lines.prefix(1) + lines.dropFirst(118))
    #expect(unproved.first?.description == "T.md: no test proves feature 1")
    #expect(unproved.last?.description == "T.md: no test proves rule 20")
    #expect(
      others.map(\.description) == [
        "T.md: no row: feature 1", "T.md:1: must be | 2 | x | `A.d` |",
        "T.md:2: must be | 3 | x | `A.d`, `H.i` |", "T.md:100: must be | R1 | x | `A.d` |",
      ])
    let longer = SourceFile("T.md", text + "\n| 9 | x | y |")
    #expect(FeatureTable.findings(in: longer, [:]).count == 123)
  }
}
