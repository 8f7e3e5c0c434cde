import Foundation
import TestSupport
import Testing

/// The programs on the first page of the store's documentation.
@Suite struct LandingPageTests {
  /// All of the page's code, one after another.
  @Test func landingPage_compiles() throws {
    let page = try String(
      contentsOfFile: "\(root)/Sources/EventStore/EventStore.docc/EventStore.md", encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst()
    let program = blocks.compactMap { $0.components(separatedBy: "\n```").first }
    #expect(program.count == 4)
    #expect(try diagnostics(of: program.joined(separator: "\n")) == "")
  }

  private func diagnostics(of program: String) throws -> String {
    let folder = try TemporaryFolder()
    let file = folder.path(of: "main.swift")
    try program.write(toFile: file, atomically: true, encoding: .utf8)
    let (process, output) = try Process.begun { process in
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["swiftc", "-typecheck", "-swift-version", "6"] + (try search) + [file]
      process.standardError = output
      return output
    }
    let diagnostics = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: diagnostics, as: UTF8.self)
  }

  /// Where the modules are that the tests were built with.
  private var search: [String] {
    get throws {
      let products = URL(fileURLWithPath: try Products.program("tideline"))
        .deletingLastPathComponent().path
      let maps = [
        "\(root)/Sources/CLMDB/module.modulemap", "\(products)/CPlatform.build/module.modulemap",
      ]
      return ["-I", "\(products)/Modules"] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }
  }

  private let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
}
