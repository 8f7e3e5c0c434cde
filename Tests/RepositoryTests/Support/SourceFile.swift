/// The contents of a text file of the repository, read from disk.
struct SourceFile {
  /// The path from the repository's root.
  let path: String

  let isExecutable: Bool
  let lines: [Substring]

  /// The tokens of a Swift or C file; empty for other files.
  let tokens: [Token]

  init(_ path: String, _ text: String, isExecutable: Bool = false) {
    self.path = path
    self.isExecutable = isExecutable
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let isCode = [".swift", ".c", ".h"].contains { path.hasSuffix($0) }
    tokens = isCode ? Lexer.tokens(of: text) : []
  }

  var isSwift: Bool { path.hasSuffix(".swift") }
  var isC: Bool { path.hasSuffix(".c") || path.hasSuffix(".h") }

  /// Whether this is a shell script: a file of `Scripts` or `.ci` other than settings such as
  /// `.yml`.
  var isScript: Bool {
    ["Scripts", ".ci"].contains(folder) && (!name.contains(".") || name.hasSuffix(".sh"))
  }

  /// The folder at the top of the repository, or the name of a file that is there itself.
  var folder: Substring { path.prefix { $0 != "/" } }

  /// The module of `Sources` that the file belongs to.
  var module: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  private var name: Substring { path.split(separator: "/").last ?? "" }

  /// The number of lines; a final newline begins no further line.
  var lineCount: Int { lines.last == "" ? lines.count - 1 : lines.count }

  /// Returns a finding at `line`, or about the whole file.
  func finding(_ message: String, line: Int = 0) -> Finding {
    Finding(path: path, line: line, message: message)
  }

  /// The tokens that aren't comments.
  var code: [Token] { tokens.filter { $0.kind != .comment } }
}
