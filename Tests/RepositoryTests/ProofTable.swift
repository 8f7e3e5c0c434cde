import Foundation
import Testing

/// A table of requirements, whose last cells name the tests that prove them.
///
/// A test names what it proves with traits: `@Test(.feature(5, 94), .rule(1))`.
struct ProofTable {
  /// The cell text of a row without tests.
  static let nothing = "*no test*"

  let path: String
  /// The traits that refer to the table's rows.
  let traits: Set<String>
  /// The first cells of the required rows; the table may have others.
  var rows: [String] = []
  /// Returns the first cells of the rows that a trait's words name.
  let names: @Sendable (_ trait: String, _ words: [String]) -> [String]

  /// The features of the three systems, and the rules that are easily broken.
  static let features = ProofTable(
    path: "Sources/Tideline/Tideline.docc/Features.md", traits: ["feature", "rule"],
    rows: (1...100).map { "\($0)" } + (1...20).map { "R\($0)" }
  ) { trait, words in
    words.map { trait == "rule" ? "R\($0)" : $0 }
  }

  /// Defects of other systems: `@Test(.defect(.liveStore, 1, 3))`.
  static let defects = ProofTable(
    path: "Sources/Tideline/Tideline.docc/Defects.md", traits: ["defect"]
  ) { _, words in
    words.dropFirst().map { "\(peers[words[0]] ?? words[0]) \($0)" }
  }

  /// The names of systems as the table spells them, by their names in the trait.
  private static let peers = [
    "inboxKit": "InboxKit", "airship": "Airship", "iterable": "Iterable", "braze": "Braze",
    "cleverTap": "CleverTap", "oneSignal": "OneSignal", "mailspring": "Mailspring",
    "liveStore": "LiveStore", "ckSyncEngine": "CKSyncEngine", "powerSync": "PowerSync",
    "couchbaseLite": "Couchbase Lite", "watermelonDB": "WatermelonDB",
    "grdb": "GRDB", "realm": "Realm", "fetchedResults": "NSFetchedResultsController",
    "tableViews": "UITableView", "marten": "Marten", "kurrentDB": "KurrentDB",
    "reduxDevTools": "Redux DevTools", "lmdb": "LMDB",
  ]

  /// Returns the tests of each row, in order, by the row's first cell.
  func proofs(in files: [SourceFile]) -> [String: [String]] {
    var proofs: [String: Set<String>] = [:]
    for claim in files.flatMap({ TestClaim.all(of: traits, in: $0.code) }) {
      for name in names(claim.trait, claim.words) {
        proofs[name, default: []].insert(claim.test)
      }
    }
    return proofs.mapValues { $0.sorted() }
  }

  /// Returns the lines of the table with the tests that claim each row.
  func lines(of table: SourceFile, with proofs: [String: [String]]) -> [String] {
    table.lines.map { line in
      guard let cells = cells(of: line) else { return String(line) }
      let tests = proofs[cells[0]].map { $0.map { "`\($0)`" }.joined(separator: ", ") }
      return "| \(cells[0]) | \(cells[1]) | \(tests ?? Self.nothing) |"
    }
  }

  /// Returns the cells of a row whose first cell ends in a number.
  private func cells(of line: Substring) -> [String]? {
    guard line.hasPrefix("| "), line.hasSuffix(" |") else { return nil }
    let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
    return cells.count == 3 && cells[0].last?.isNumber == true ? cells : nil
  }

  /// Returns rows that are missing, duplicated, without a test, or different from the tests'
  /// claims.
  func findings(in table: SourceFile, _ proofs: [String: [String]]) -> [Finding] {
    let there = table.lines.compactMap { cells(of: $0)?[0] }
    let missing = rows.filter { !there.contains($0) }.map { table.finding("no row \($0)") }
    let strange = proofs.keys.filter { !there.contains($0) && !rows.contains($0) }.sorted().map {
      table.finding("there is no row \($0), which \(proofs[$0]?.first ?? "") proves")
    }
    let twice = Dictionary(grouping: there, by: \.self).filter { $1.count > 1 }.keys.sorted().map {
      table.finding("twice: \($0)")
    }
    let unproved = Set(there).filter { proofs[$0] == nil }.sorted().map {
      table.finding("no test proves \($0)")
    }
    let wanted = lines(of: table, with: proofs)
    let other = zip(table.lines, wanted).enumerated().filter { $1.0 != $1.1 }.map { index, pair in
      table.finding("must be \(pair.1)", line: index + 1)
    }
    return missing + strange + twice + unproved + other
  }
}

@Suite struct ProofTableTests {
  /// With `TIDELINE_WRITE=1` in the environment, this writes the tests into the tables.
  @Test(arguments: ["features", "defects"]) func repository(_ name: String) throws {
    let table = name == "features" ? ProofTable.features : .defects
    let repository = try Repository.current.get()
    let file = try #require(repository.files.first { $0.path == table.path })
    let tests = repository.files.filter {
      $0.isSwift && $0.path.hasPrefix("Tests/") && !$0.path.contains("RepositoryTests")
    }
    let proofs = table.proofs(in: tests)
    guard ProcessInfo.processInfo.environment["TIDELINE_WRITE"] == nil else {
      let text = table.lines(of: file, with: proofs).joined(separator: "\n")
      return try Data(text.utf8).write(to: Repository.root.appending(path: file.path))
    }
    expectNone(table.findings(in: file, proofs))
  }

  private let tests = SourceFile(
    "Tests/A.swift",
    """
    @Suite struct A {
      private struct B { func c() {} }
      @Test(.feature(2, 3), .rule(1)) func d() { e(.f) }
      @Test(arguments: [1]) func g() {}
      @Test(.defect(.airship, 2), .defect(.liveStore, 1), arguments: [1]) func h(i: Int) {}
    }
    extension J {
      @Test(.timeLimit(.minutes(5)), .feature(3), .defect(.airship, 1, 2), arguments: [4])
      func k() {}
    }
    """)

  private func proofs(_ table: ProofTable) -> [String] {
    table.proofs(in: [tests]).sorted { $0.key < $1.key }.map {
      "\($0): \($1.joined(separator: " "))"
    }
  }

  @Test func proofs_areThoseOfTraits() {
    #expect(proofs(.features) == ["2: A.d", "3: A.d J.k", "R1: A.d"])
    #expect(proofs(.defects) == ["Airship 1: J.k", "Airship 2: A.h J.k", "LiveStore 1: A.h"])
  }

  private func findings(_ table: ProofTable, _ rows: [String]) -> [String] {
    let file = SourceFile("T.md", rows.map { "| \($0) |" }.joined(separator: "\n"))
    return table.findings(in: file, table.proofs(in: [tests])).map(\.description)
  }

  @Test func defects_areProved_onceEach() {
    let rows = [
      "Airship 1 | x | `J.k`", "Airship 2 | y | `A.h`", "Airship 1 | x | `J.k`",
      "Braze 1 | z | *no test*",
    ]
    #expect(
      findings(.defects, rows) == [
        "T.md: there is no row LiveStore 1, which A.h proves", "T.md: twice: Airship 1",
        "T.md: no test proves Braze 1", "T.md:2: must be | Airship 2 | y | `A.h`, `J.k` |",
      ])
  }

  @Test func features_areAllThere_andProved() {
    let found = findings(.features, ["2 | x | `A.d`", "R1 | y | `A.d`", "4 | z | `A.d`"])
    #expect(found.count == 119 && found[0] == "T.md: no row 1" && found[116] == "T.md: no row R20")
    #expect(found.suffix(2) == ["T.md: no test proves 4", "T.md:3: must be | 4 | z | *no test* |"])
  }
}
