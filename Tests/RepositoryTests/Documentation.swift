import Testing

/// Every public declaration has documentation, including enum cases and protocol requirements.
enum Documentation {
  private static let modifiers: Set = [
    "public", "open", "package", "internal", "fileprivate", "private", "static", "class", "final",
    "override", "required", "convenience", "mutating", "nonmutating", "consuming", "borrowing",
    "indirect", "lazy", "weak", "unowned", "nonisolated", "dynamic", "prefix", "postfix", "infix",
  ]

  private static let members: [String: Set<String>] = [
    "enum": ["case"],
    "protocol": ["func", "var", "init", "subscript", "associatedtype"],
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    let tokens = file.tokens
    return tokens.indices.filter { isPublic($0, in: tokens) }.flatMap { index in
      [index] + members(ofDeclarationAt: index, in: tokens)
    }.filter { !isDocumented($0, in: tokens) }.map { index in
      let line = file.lines[tokens[index].line - 1].drop { $0 == " " }
      return file.finding("no documentation: \(line)", line: tokens[index].line)
    }
  }

  /// Whether the token makes a declaration public, other than an import or an extension.
  private static func isPublic(_ index: Int, in tokens: [Token]) -> Bool {
    guard ["public", "open"].contains(tokens[index].text), index + 1 < tokens.count,
      !["(", ".", "import", "extension"].contains(tokens[index + 1].text)
    else { return false }
    let isWordOrAttribute = tokens[index + 1].kind == .word || tokens[index + 1].text == "@"
    return isWordOrAttribute && (index == 0 || ![".", "func"].contains(tokens[index - 1].text))
  }

  /// Returns the members that inherit the access level of their enum or protocol.
  private static func members(ofDeclarationAt index: Int, in tokens: [Token]) -> [Int] {
    var keyword = index
    while keyword < tokens.count, modifiers.contains(tokens[keyword].text) { keyword += 1 }
    guard keyword < tokens.count, let names = members[tokens[keyword].text],
      let open = tokens[keyword...].firstIndex(where: { $0.text == "{" })
    else { return [] }
    var depth = 0
    return (open..<Bodies.close(of: open, in: tokens)).filter { place in
      depth += tokens[place].nesting
      return depth == 1 && tokens[place].kind == .word && names.contains(tokens[place].text)
        && tokens[place - 1].text != "."
    }
  }

  /// Whether a `///` comment ends on the line above the declaration's first token.
  private static func isDocumented(_ index: Int, in tokens: [Token]) -> Bool {
    var first = index
    while let earlier = startOfModifier(before: first, in: tokens) { first = earlier }
    guard first > 0 else { return false }
    let comment = tokens[first - 1]
    return comment.isDocumentation && comment.line == tokens[first].line - 1
  }

  /// The index of the modifier or attribute that ends right before `index`, if one does.
  private static func startOfModifier(before index: Int, in tokens: [Token]) -> Int? {
    var last = index - 1
    if last >= 0, tokens[last].text == ")" {
      var depth = 0
      repeat {
        depth += tokens[last].nesting
        last -= 1
      } while depth < 0 && last >= 0
    }
    guard last >= 0, tokens[last].kind == .word else { return nil }
    if last > 0, tokens[last - 1].text == "@" { return last - 1 }
    return modifiers.contains(tokens[last].text) ? last : nil
  }
}

@Suite struct DocumentationTests {
  @Test func repository() throws {
    expectNone(try Repository.current.get().sources.flatMap(Documentation.findings))
  }

  private func lines(_ text: String) -> [Int] {
    Documentation.findings(in: SourceFile("Sources/A/A.swift", text)).map(\.line)
  }

  @Test(arguments: [
    "public func a() {}", "public let a = 1", "public static var a: Int { 1 }", "open class A {}",
    "public struct A {}", "public init() {}", "public private(set) var a = 1",
    "@inlinable public func a() {}", "@frozen\n@safe public struct A {}",
    "@available(*, noasync,\n  message: \"a (b)\")\npublic func a() {}",
    "static public func == (a: A, b: A) -> Bool { true }", "public typealias A = B",
    "public consuming func a() {}", "@_lifetime(borrow self)\npublic func a() -> RawSpan {}",
    "public actor A {}", "public subscript(a: Int) -> Int { a }", "public enum A {}",
  ])
  func declaration_needsComment(text: String) {
    #expect(lines(text).count == 1)
    #expect(lines("/// A.\n" + text) == [])
    #expect(lines("let b = 1\n/// A.\n/// B.\n" + text) == [])
    #expect(lines("// A.\n" + text).count == 1)
    #expect(lines("/// A.\n\n" + text).count == 1)
    #expect(lines("/// A.\n// B.\n" + text).count == 1)
    #expect(lines("/// A.\nlet b = 1\n" + text).count == 1)
  }

  @Test(arguments: [
    "public import A", "func a() {}", "package func a() {}", "let a = open(path, 1)", "// public a",
    "a.open()", "func open(a: Int) {}", "\"public func a()\"",
  ])
  func other_needsNone(text: String) {
    #expect(lines(text) == [])
  }

  @Test func case_needsComment() {
    let text = """
      /// A.
      public enum A: Equatable {
        /// B.
        case b
        case c(Int)
        indirect case d(A)
        /// E.
        @available(macOS 15, *)
        case e
        /// F.
        public var f: Int {
          switch self {
          case .b: 1
          default: 2
          }
        }
        enum G { case h }
      }
      enum I { case j }
      """
    #expect(lines(text) == [5, 6])
  }

  @Test func requirement_needsComment() {
    let text = """
      /// A.
      public protocol A: Sendable {
        associatedtype B
        func c(_ d: () -> Void)
        /// E.
        mutating func e()
        static var f: Int { get }
        init()
        /// G.
        subscript(g: Int) -> Int { get }
      }
      protocol H { func i() }
      """
    #expect(lines(text) == [3, 4, 7, 8])
  }
}
