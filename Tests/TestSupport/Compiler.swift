import Foundation

/// The compiler, with the modules that the tests were built with.
package enum Compiler {
  /// How far code is compiled.
  package enum Depth: Sendable {
    /// As far as types are checked.
    case types
    /// As far as lifetimes are checked.
    case lifetimes
  }

  /// What the compiler says of code.
  package static func diagnostics(of code: String, to depth: Depth) throws -> String {
    let folder = try TemporaryFolder()
    let file = folder.path(of: "main.swift")
    try code.write(toFile: file, atomically: true, encoding: .utf8)
    let mode =
      switch depth {
      case .types: ["-typecheck"]
      case .lifetimes: ["-emit-sil", "-o", "/dev/null"]
      }
    return try Program.named
      .run(["swiftc"] + mode + ["-swift-version", "6"] + search + [file], takesErrors: true).output
  }

  /// Where the modules are.
  private static var search: [String] {
    get throws {
      let products = URL(fileURLWithPath: try Products.program("tideline"))
        .deletingLastPathComponent().path
      let maps = [
        "\(root)/Sources/CLMDB/module.modulemap", "\(products)/CPlatform.build/module.modulemap",
      ]
      return ["-I", "\(products)/Modules"] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }
  }

  /// The folder of the repository.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
}
