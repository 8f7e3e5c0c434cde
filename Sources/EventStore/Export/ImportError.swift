/// Why no log can be made of lines.
public enum ImportError: Error, Hashable, Sendable {
  /// They are no exported log's.
  case notAnExport
  /// They are of a later version.
  case newerVersion(found: UInt64, known: UInt64)
  /// A line is not what it was when it was written.
  case line(Int, reason: String)
  /// They end before the manifest.
  case cutOff(behindLine: Int)
}

extension ImportError: CustomStringConvertible {
  /// What is wrong, where, and what to do about it.
  public var description: String {
    switch self {
    case .notAnExport: "This is no exported log. Name a file that `tideline export` wrote."
    case .newerVersion(let found, let known):
      "The export is of version \(found), and \(known) is the newest known. Update the program."
    case .line(let line, let reason): "Line \(line): \(reason). Export the log anew."
    case .cutOff(let line):
      "The export is cut off behind line \(line), before its manifest. Export the log anew."
    }
  }
}
