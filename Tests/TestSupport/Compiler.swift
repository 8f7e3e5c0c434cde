import Foundation

/// The compiler, with the modules that the tests were built with.
package enum Compiler {
  /// How far to compile the code.
  package enum Depth: Sendable {
    /// Up to type checking.
    case types
    /// Up to lifetime checking.
    case lifetimes
  }

  /// Returns the compiler's diagnostics of code.
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

  /// The search path of the modules.
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

  /// The root folder of the repository.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
}
