import Foundation

/// The programs and modules that were built together with the tests.
package enum Products {
  /// Says which program is missing.
  package struct Missing: Error, CustomStringConvertible { package let description: String }

  /// The path of the program of that name.
  ///
  /// It lies in the same folder as the test bundle, which is one of those that the process was
  /// started with, or in which it runs.
  package static func program(_ name: String) throws(Missing) -> String {
    let main = Bundle.main
    let started = CommandLine.arguments + [main.bundlePath, main.executablePath ?? ""]
    for path in started where path.hasPrefix("/") {
      var folder = URL(fileURLWithPath: path)
      for _ in 0..<5 {
        let candidate = folder.appendingPathComponent(name)
        if isProgram(candidate) { return candidate.path }
        folder.deleteLastPathComponent()
      }
    }
    throw Missing(description: "no \(name) beside \(started)")
  }

  /// A folder of that name, which may be the repository's own, is none.
  private static func isProgram(_ url: URL) -> Bool {
    let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    return !isFolder && FileManager.default.isExecutableFile(atPath: url.path)
  }
}
