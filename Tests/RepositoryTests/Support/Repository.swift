import Foundation

/// The repository that this file is in, as it is on disk.
struct Repository {
  /// The names at the top, apart from those that begin with a dot.
  let top: [String]

  /// The text files that are its own: those of `top`, and those with a dot, but no build products.
  let files: [SourceFile]

  /// Read once for all tests.
  static let current = Result { try Repository(at: root) }

  /// Where it is.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private init(at root: URL) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
    top = names.filter { !$0.hasPrefix(".") && !Self.isGenerated($0) }
    let own = top + names.filter { [".ci", ".github", ".swift-format", ".gitignore"].contains($0) }
    files = own.flatMap { Self.paths(under: $0, in: root) }.compactMap { Self.file($0, in: root) }
  }

  /// What tools leave at the top and version control ignores.
  private static func isGenerated(_ name: String) -> Bool {
    name == "Package.resolved" || name.hasSuffix(".xcodeproj")
  }

  private static func paths(under path: String, in root: URL) -> [String] {
    guard let names = FileManager.default.subpaths(atPath: root.appending(path: path).path),
      !names.isEmpty
    else { return [path] }
    return names.sorted().map { "\(path)/\($0)" }
  }

  /// The file, unless it is a folder or no text.
  private static func file(_ path: String, in root: URL) -> SourceFile? {
    let url = root.appending(path: path)
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
    let isExecutable = FileManager.default.isExecutableFile(atPath: url.path)
    return SourceFile(path, text, isExecutable: isExecutable)
  }

  /// The Swift files that ship: those of `Sources` and `Benchmarks`.
  var shipped: [SourceFile] {
    files.filter { $0.isSwift && ["Sources", "Benchmarks"].contains($0.folder) }
  }

  /// The Swift files of `Sources`.
  var sources: [SourceFile] { files.filter { $0.isSwift && $0.folder == "Sources" } }
}
