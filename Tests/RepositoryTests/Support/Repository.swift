import Foundation

/// The repository that contains this file, as it is on disk.
struct Repository {
  /// The names at the top, except those that begin with a dot.
  let top: [String]

  /// The repository's text files, including those under dotted names, but no build products.
  let files: [SourceFile]

  /// The repository, read once for all tests.
  static let current = Result { try Repository(at: root) }

  /// The URL of the repository.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private init(at root: URL) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
    top = names.filter { !$0.hasPrefix(".") && !Self.isGenerated($0) }
    let own = top + names.filter { [".ci", ".github", ".swift-format", ".gitignore"].contains($0) }
    files = own.flatMap { Self.paths(under: $0, in: root) }.compactMap { Self.file($0, in: root) }
  }

  /// Whether tools generate this top-level entry and version control ignores it.
  private static func isGenerated(_ name: String) -> Bool {
    name == "Package.resolved" || name.hasSuffix(".xcodeproj")
  }

  private static func paths(under path: String, in root: URL) -> [String] {
    guard let names = FileManager.default.subpaths(atPath: root.appending(path: path).path),
      !names.isEmpty
    else { return [path] }
    return names.sorted().map { "\(path)/\($0)" }
  }

  /// Returns the file, or `nil` for a folder or a file that is not text.
  private static func file(_ path: String, in root: URL) -> SourceFile? {
    let url = root.appending(path: path)
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
    let isExecutable = FileManager.default.isExecutableFile(atPath: url.path)
    return SourceFile(path, text, isExecutable: isExecutable)
  }

  /// The Swift files of `Sources` and `Benchmarks`, which ship.
  var shipped: [SourceFile] {
    files.filter { $0.isSwift && ["Sources", "Benchmarks"].contains($0.folder) }
  }

  /// The Swift files of `Sources`.
  var sources: [SourceFile] { files.filter { $0.isSwift && $0.folder == "Sources" } }
}
