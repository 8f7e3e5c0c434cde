import EventStore

extension Verification {
  /// The result, for people.
  var line: String {
    let end = number.map { " up to record \($0)" } ?? ""
    guard !isSound else { return "views equal log\(end)" }
    let first = findings.first.map { ": \($0)" } ?? ""
    return "views differ from the log\(end), in \(findingCount) places\(first)"
  }
}
