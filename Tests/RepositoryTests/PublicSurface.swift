import Testing

/// The API of a module that users have to learn: its public types, functions and initializers.
enum PublicSurface {
  /// The keywords of counted declarations; properties and cases don't count.
  private static let keywords: Set = [
    "struct", "class", "enum", "protocol", "actor", "typealias", "func", "init", "subscript",
  ]
  private static let modifiers: Set = [
    "static", "final", "mutating", "nonisolated", "indirect", "consuming", "borrowing", "class",
  ]
  /// Requirements of the system's protocols; implementing one adds nothing to learn.
  private static let known: Set = [
    "func <", "func ==", "func hash(into)", "func encode(to)", "init(from)",
    "func makeAsyncIterator()", "func next(isolation)", "subscript(index)",
  ]

  /// Returns a module's declarations, each by its file and its name with labels.
  static func declarations(in files: [SourceFile]) -> [String] {
    let requirements = Set(files.flatMap(requirements))
    let own = files.flatMap { file in
      publicPlaces(in: file.code).map { (file.path, signature(at: $0, in: file.code)) }
    }
    return own.filter { !requirements.contains($0.1) && !known.contains($0.1) }
      .map { "\($0.0): \($0.1)" } + requirements.map { "requirement: \($0)" }
  }

  /// Returns the places of the keywords of counted public declarations.
  private static func publicPlaces(in code: [Token]) -> [Int] {
    code.indices.filter { code[$0].text == "public" }.compactMap { keyword(after: $0, in: code) }
  }

  private static func keyword(after place: Int, in code: [Token]) -> Int? {
    var index = place + 1
    while index + 1 < code.count, modifiers.contains(code[index].text),
      code[index].text != "class" || keywords.contains(code[index + 1].text)
    {
      index += 1
    }
    return index < code.count && keywords.contains(code[index].text) ? index : nil
  }

  /// Returns the requirements of public protocols, each once.
  private static func requirements(of file: SourceFile) -> [String] {
    let code = file.code
    return publicPlaces(in: code).filter { code[$0].text == "protocol" }.flatMap { place in
      guard let open = code[place...].firstIndex(where: { $0.text == "{" }) else {
        return [String]()
      }
      return (open..<Bodies.close(of: open, in: code))
        .filter { ["func", "init", "subscript"].contains(code[$0].text) }
        .map { signature(at: $0, in: code) }
    }
  }

  /// Returns the keyword, the name, and the parameter labels.
  private static func signature(at place: Int, in code: [Token]) -> String {
    let keyword = code[place].text
    let isNamed = !["init", "subscript"].contains(keyword)
    let name = isNamed ? " \(code[place + 1].text)" : ""
    guard ["func", "init", "subscript"].contains(keyword) else { return keyword + name }
    guard let open = code[place...].firstIndex(where: { $0.text == "(" }) else { return "" }
    guard isNamed, code[place + 1].kind == .mark else {
      return keyword + name + "(\(labels(from: open, in: code).joined(separator: ",")))"
    }
    return keyword + name
  }

  /// Returns the first word of each parameter.
  private static func labels(from open: Int, in code: [Token]) -> [String] {
    var (depth, labels, isFirst) = (0, [String](), true)
    for index in open..<code.count {
      let text = code[index].text
      if ["(", "[", "{"].contains(text) { depth += 1 }
      if [")", "]", "}"].contains(text) { depth -= 1 }
      if depth == 0 { break }
      if depth == 1, isFirst, code[index].kind == .word, text != "inout" {
        labels.append(text)
        isFirst = false
      }
      if depth == 1, text == "," { isFirst = true }
    }
    return labels
  }
}

@Suite struct PublicSurfaceTests {
  /// The most declarations that users can be expected to learn.
  private static let limit = 160

  @Test func tideline_isNarrow() throws {
    let files = try Repository.current.get().sources.filter { $0.module == "Tideline" }
    let declarations = PublicSurface.declarations(in: files)
    print("Tideline has \(declarations.count) public types, functions and initialisers.")
    #expect(declarations.count <= Self.limit, "\(declarations.sorted().joined(separator: "\n"))")
  }

  /// Names that SwiftUI, UIKit and Foundation use: code that imports two modules with the same name
  /// can't use it.
  private static let taken: Set = [
    "Alert", "Animation", "App", "Axis", "Binding", "Bundle", "Button", "Color", "Data", "Date",
    "Edge", "Environment", "Font", "Form", "Gesture", "Group", "Image", "Label", "Layout", "Link",
    "List", "Locale", "Menu", "Namespace", "Notification", "Operation", "Path", "Picker", "Port",
    "Process", "Progress", "Query", "Scanner", "Scene", "Section", "Shape", "State", "Stepper",
    "Stream", "Tab", "Table", "Text", "Thread", "Timer", "Toggle", "Transaction", "Unit", "View",
    "Window",
  ]

  @Test func typesOfModulesThatAppsImport_haveNamesOfTheirOwn() throws {
    let modules = ["EventStore", "Tideline", "TidelineSync", "TidelineHTTP", "TidelineReplay"]
    for file in try Repository.current.get().sources where modules.contains(file.module ?? "") {
      for line in file.lines where line.hasPrefix("public ") {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        let place = words.firstIndex { ["struct", "class", "enum", "protocol"].contains($0) }
        let name = place.map { words[$0 + 1] } ?? ""
        #expect(!Self.taken.contains(name), "\(file.path): \(name) is a name of the system's")
      }
    }
  }

  private func declarations(_ text: String) -> [String] {
    PublicSurface.declarations(in: [SourceFile("A.swift", text)])
  }

  @Test(arguments: [
    ("public struct A {}", "struct A"), ("public final class A {}", "class A"),
    ("public static func a(_ b: Int, c d: [Int: Int] = [:]) {}", "func a(_,c)"),
    ("@discardableResult public mutating func a<T>(b: (T, T)) {}", "func a(b)"),
    ("public init?(_ a: Int) {}", "init(_)"),
    ("public subscript(a: Int) -> Int { a }", "subscript(a)"),
    ("public static func + (a: A, b: A) -> A { a }", "func +"),
    ("public enum A { case a }", "enum A"),
  ])
  func declaration_counts(text: String, name: String) {
    #expect(declarations(text) == ["A.swift: \(name)"])
  }

  @Test(arguments: [
    "struct A {}", "package func a() {}", "public var a = 1", "public let a = 1",
    "public import A", "public static var a: Int { 1 }",
    "public init(from decoder: any Decoder) {}",
    "public static func < (a: A, b: A) -> Bool { true }", "public private(set) var a = 1",
  ])
  func declaration_doesNotCount(text: String) { #expect(declarations(text) == []) }

  @Test func requirement_countsOnce() {
    let text = """
      public protocol A { func a(b: Int)
        init(c: Int)
        var d: Int { get } }
      public struct B: A { public func a(b: Int) {}
        public init(c: Int) {} }
      """
    #expect(
      Set(declarations(text)) == [
        "A.swift: protocol A", "A.swift: struct B", "requirement: func a(b)",
        "requirement: init(c)",
      ])
  }
}
