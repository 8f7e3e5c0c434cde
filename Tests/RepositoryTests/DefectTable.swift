import Foundation
import Testing

/// The table of what has gone wrong in other systems, and which tests show that it does not here.
///
/// A test says by its trait what it shows, `@Test(.defect(.liveStore, 1, 3))`; the last cell of a
/// row names the tests that do.
enum DefectTable {
  static let path = "Sources/Tideline/Tideline.docc/Defects.md"

  /// The names of systems as the table has them, by those of the trait.
  static let peers = [
    "inboxKit": "InboxKit", "airship": "Airship", "iterable": "Iterable", "braze": "Braze",
    "cleverTap": "CleverTap", "oneSignal": "OneSignal", "mailspring": "Mailspring",
    "liveStore": "LiveStore", "ckSyncEngine": "CKSyncEngine", "powerSync": "PowerSync",
    "couchbaseLite": "Couchbase Lite", "watermelonDB": "WatermelonDB",
  ]

  /// The tests of each row, in order, by the row's first cell.
  static func proofs(in files: [SourceFile]) -> [String: [String]] {
    var proofs: [String: Set<String>] = [:]
    for claim in files.flatMap({ TestClaim.all(of: ["defect"], in: $0.code) }) {
      guard let peer = claim.words.first.map({ peers[$0] ?? $0 }) else { continue }
      for number in claim.words.dropFirst() {
        proofs["\(peer) \(number)", default: []].insert(claim.test)
      }
    }
    return proofs.mapValues { $0.sorted() }
  }

  /// The lines of the table as the tests would have them.
  static func lines(of table: SourceFile, with proofs: [String: [String]]) -> [String] {
    table.lines.map { line in
      guard let cells = cells(of: line) else { return String(line) }
      let tests = (proofs[cells[0]] ?? []).map { "`\($0)`" }.joined(separator: ", ")
      return "| \(cells[0]) | \(cells[1]) | \(tests) |"
    }
  }

  /// The cells of a row.
  private static func cells(of line: Substring) -> [String]? {
    guard line.hasPrefix("| "), line.hasSuffix(" |") else { return nil }
    let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
    guard cells.count == 3, let number = cells[0].split(separator: " ").last, Int(number) != nil
    else { return nil }
    return cells
  }

  /// What is missing, twice there, or not what the tests say.
  static func findings(in table: SourceFile, _ proofs: [String: [String]]) -> [Finding] {
    let there = table.lines.compactMap { cells(of: $0)?[0] }
    let strange = Set(proofs.keys).subtracting(there).sorted().map {
      table.finding("there is no row \($0), which \(proofs[$0]?.first ?? "") answers")
    }
    let twice = Dictionary(grouping: there, by: \.self).filter { $1.count > 1 }.keys.sorted().map {
      table.finding("twice: \($0)")
    }
    let unanswered = there.filter { proofs[$0] == nil }.map { table.finding("no test: \($0)") }
    let wanted = lines(of: table, with: proofs)
    let other = zip(table.lines, wanted).enumerated().filter { $1.0 != $1.1 }.map { index, pair in
      table.finding("must be \(pair.1)", line: index + 1)
    }
    return strange + twice + unanswered + other
  }
}

@Suite struct DefectTableTests {
  /// Run with `TIDELINE_WRITE=1` in the environment, it writes the tests into the table.
  @Test func repository() throws {
    let repository = try Repository.current.get()
    let table = try #require(repository.files.first { $0.path == DefectTable.path })
    let tests = repository.files.filter { $0.isSwift && $0.path.hasPrefix("Tests/") }
    let proofs = DefectTable.proofs(in: tests.filter { !$0.path.contains("RepositoryTests") })
    guard ProcessInfo.processInfo.environment["TIDELINE_WRITE"] == nil else {
      let text = DefectTable.lines(of: table, with: proofs).joined(separator: "\n")
      return try Data(text.utf8).write(to: Repository.root.appending(path: table.path))
    }
    expectNone(DefectTable.findings(in: table, proofs))
  }

  private let tests = SourceFile(
    "Tests/A.swift",
    """
    @Suite struct A {
      @Test(.feature(2), .defect(.airship, 1, 2)) func b() {}
      @Test(.defect(.airship, 2), .defect(.liveStore, 1), arguments: [1]) func c(d: Int) {}
    }
    """)

  @Test func proofs_areThoseOfTraits() {
    let proofs = DefectTable.proofs(in: [tests]).sorted { $0.key < $1.key }
    #expect(
      proofs.map { "\($0): \($1.joined(separator: " "))" } == [
        "Airship 1: A.b", "Airship 2: A.b A.c", "LiveStore 1: A.c",
      ])
  }

  @Test func rows_areAnswered_onceEach() {
    let rows = ["Airship 1 | x | `A.b`", "Airship 2 | y |", "Airship 2 | y |", "Braze 1 | z |"]
    let table = SourceFile("T.md", rows.map { "| \($0) |" }.joined(separator: "\n"))
    let findings = DefectTable.findings(in: table, DefectTable.proofs(in: [tests]))
    #expect(
      findings.map(\.description) == [
        "T.md: there is no row Airship 2, which A.b answers",
        "T.md: there is no row LiveStore 1, which A.c answers",
      ])
  }
}
