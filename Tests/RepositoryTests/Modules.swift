import Testing

/// The dependencies between modules, which only point downwards.
enum Modules {
  /// The modules that each module of `Sources` may import, including the system's.
  static let arrows: [String: Set<String>] = [
    "CLMDB": [],
    "CCurl": [],
    "CMicroHTTPD": [],
    "CPlatform": [],
    "LMDB": platform.union(["CLMDB", "CPlatform"]),
    "EventStore": platform.union(["LMDB"]),
    "Tideline": platform.union(foundation).union(["EventStore"]),
    "TidelineReplay": platform.union(foundation).union(["EventStore", "LMDB", "Tideline"]),
    "TidelineSync": platform.union(foundation).union(["EventStore", "LMDB", "Tideline"]),
    "TidelineHTTP": platform.union(foundation).union(network).union([
      "CCurl", "LMDB", "EventStore", "Tideline", "TidelineSync",
    ]),
    "TidelineSimulator": platform.union(foundation).union([
      "EventStore", "Tideline", "TidelineSync",
    ]),
    "TidelineServer": platform.union(foundation).union([
      "CMicroHTTPD", "EventStore", "LMDB", "Tideline", "TidelineHTTP", "TidelineSimulator",
      "TidelineSync",
    ]),
    "Pictures": [],
    "CProcesses": [],
    "Processes": platform.union(foundation).union(["CProcesses", "LMDB"]),
    "TidelineCommand": platform.union(foundation).union(network).union([
      "LMDB", "EventStore", "Pictures", "Processes", "Tideline", "TidelineHTTP",
      "TidelineReplay", "TidelineServer", "TidelineSimulator", "TidelineSync",
    ]),
  ]

  private static let platform: Set = [
    "Android", "Darwin", "Dispatch", "Glibc", "Musl", "Observation", "Synchronization", "os",
  ]
  private static let foundation: Set = ["Foundation", "FoundationEssentials"]
  private static let network: Set = ["FoundationNetworking"]

  static func findings(in file: SourceFile) -> [Finding] {
    guard let module = file.module else { return [] }
    guard let allowed = arrows[module] else {
      return [file.finding("\(module) has no place among the modules")]
    }
    return imports(file.code).filter { !allowed.contains($0.name) }.map {
      file.finding("\(module) may not import \($0.name)", line: $0.line)
    }
  }

  private static func imports(_ code: [Token]) -> [(name: String, line: Int)] {
    let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor"]
    return code.indices.dropLast().compactMap { index in
      guard code[index].text == "import" else { return nil }
      let isPart = kinds.contains(code[index + 1].text)
      let name = isPart && index + 2 < code.count ? code[index + 2] : code[index + 1]
      return (name.text, name.line)
    }
  }
}

@Suite struct ModulesTests {
  @Test func repository() throws {
    expectNone(try Repository.current.get().sources.flatMap(Modules.findings))
  }

  /// The package's modules from the lowest up: none may import itself or a module above it.
  @Test func arrows_pointDownwards() {
    let floors = [
      "CLMDB", "CCurl", "CMicroHTTPD", "CPlatform", "LMDB", "EventStore", "Tideline",
      "TidelineReplay", "TidelineSync", "TidelineHTTP", "TidelineSimulator", "TidelineServer",
      "Pictures", "CProcesses", "Processes", "TidelineCommand",
    ]
    #expect(Set(floors) == Set(Modules.arrows.keys))
    for (floor, module) in floors.enumerated() {
      #expect(Modules.arrows[module]?.isDisjoint(with: floors[floor...]) == true, "\(module)")
    }
  }

  private func findings(_ path: String, _ text: String) -> [String] {
    Modules.findings(in: SourceFile(path, text)).map(\.description)
  }

  @Test(arguments: [
    ("LMDB", "Foundation"), ("LMDB", "EventStore"), ("EventStore", "Foundation"),
    ("EventStore", "FoundationEssentials"), ("EventStore", "CLMDB"), ("EventStore", "Tideline"),
    ("Tideline", "LMDB"), ("Tideline", "FoundationNetworking"), ("Tideline", "TidelineHTTP"),
    ("TidelineHTTP", "CLMDB"), ("TidelineSimulator", "TidelineHTTP"),
    ("TidelineCommand", "CLMDB"), ("Tideline", "Testing"),
  ])
  func import_upwards(module: String, imported: String) {
    let path = "Sources/\(module)/A/B.swift"
    let expected = "\(path):2: \(module) may not import \(imported)"
    for text in [
      "import \(imported)", "public import \(imported)", "  @preconcurrency import \(imported)",
      "import struct \(imported).A", "import \(imported).A",
    ] {
      #expect(findings(path, "\n" + text) == [expected], "\(text)")
    }
  }

  @Test(arguments: [
    ("LMDB", "CLMDB"), ("LMDB", "Glibc"), ("EventStore", "LMDB"), ("EventStore", "Synchronization"),
    ("Tideline", "Foundation"), ("TidelineHTTP", "FoundationNetworking"),
    ("TidelineHTTP", "EventStore"),
    ("TidelineCommand", "TidelineSimulator"),
  ])
  func import_downwards(module: String, imported: String) {
    #expect(findings("Sources/\(module)/A.swift", "package import \(imported)") == [])
  }

  @Test func import_asText() {
    #expect(findings("Sources/LMDB/A.swift", "// import Foundation\nlet a = \"import A\"") == [])
    #expect(findings("Tests/LMDBTests/A.swift", "import Foundation") == [])
  }

  @Test func module_unknown() {
    #expect(
      findings("Sources/Utilities/A.swift", "")
        == ["Sources/Utilities/A.swift: Utilities has no place among the modules"])
  }
}
