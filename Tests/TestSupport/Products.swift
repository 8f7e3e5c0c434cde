import Foundation

/// The programs and modules built together with the tests.
package enum Products {
  /// The error for a missing program.
  package struct Missing: Error, CustomStringConvertible { package let description: String }

  /// Returns the path of the program of that name.
  ///
  /// The program lies in the folder of the test bundle, which the process was started with, or in
  /// which it runs.
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

  /// A folder of that name doesn't count; the repository's own may have it.
  private static func isProgram(_ url: URL) -> Bool {
    let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    return !isFolder && FileManager.default.isExecutableFile(atPath: url.path)
  }
}
