/// The reason that lines cannot be imported as a log.
public enum ImportError: Error, Hashable, Sendable {
  /// The lines are not from an exported log.
  case notAnExport
  /// The lines have a newer version.
  case newerVersion(found: UInt64, known: UInt64)
  /// A line is malformed, or was changed after it was written.
  case line(Int, reason: String)
  /// The lines end before the manifest.
  case cutOff(behindLine: Int)
}

extension ImportError: CustomStringConvertible {
  /// A message that says what is wrong, where, and how to fix it.
  public var description: String {
    switch self {
    case .notAnExport: "This is not an exported log. Name a file that `tideline export` wrote."
    case .newerVersion(let found, let known):
      "The export has version \(found); the newest known is \(known). Update the program."
    case .line(let line, let reason): "Line \(line): \(reason). Export the log again."
    case .cutOff(let line):
      "The export ends after line \(line), without its manifest. Export the log again."
    }
  }
}
