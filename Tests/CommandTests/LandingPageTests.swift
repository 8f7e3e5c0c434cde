import Foundation
import TestSupport
import Testing

/// The programs on the first page of the store's documentation.
@Suite struct LandingPageTests {
  /// All code blocks of the page compile as one program.
  @Test func landingPage_compiles() throws {
    let page = try String(
      contentsOfFile: "\(Compiler.root)/Sources/EventStore/EventStore.docc/EventStore.md",
      encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst()
    let program = blocks.compactMap { $0.components(separatedBy: "\n```").first }
    #expect(program.count == 4)
    let code = ([#"let folder = "to-do""#] + program).joined(separator: "\n")
    let said = try Compiler.diagnostics(of: code, to: .types)
    #expect(said == "")
  }
}
