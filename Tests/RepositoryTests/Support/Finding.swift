import Testing

/// A place where the repository breaks one of its rules.
struct Finding: Hashable, CustomStringConvertible {
  let path: String

  /// The line, counted from 1, or 0 for the file as a whole.
  let line: Int

  let message: String

  var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}

/// Expects no findings, and otherwise reports them all at once.
func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
  guard !findings.isEmpty else { return }
  let list = findings.map { "\n\($0)" }.joined()
  Issue.record("\(findings.count) findings:\(list)", sourceLocation: sourceLocation)
}
