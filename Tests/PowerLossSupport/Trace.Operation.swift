extension Trace {
  /// One thing that a workload did to its files, or told its user.
  ///
  /// Paths are relative to the root.
  package enum Operation: Hashable, Sendable {
    case create(Node, path: String)
    case makeFolder(Node, path: String)
    /// A durable one returned once these bytes were on the medium.
    case write(Node, offset: Int, bytes: [UInt8], durable: Bool)
    case resize(Node, size: Int)
    case rename(from: String, to: String)
    case link(from: String, to: String)
    case remove(path: String)
    case flush(Node)
    case flushAll
    /// The workload told its user that something is kept; the bytes say what.
    case acknowledge([UInt8])

    /// Whether something is promised to be on the medium when it returns.
    package var isFlush: Bool {
      switch self {
      case .flush, .flushAll: true
      case .write(_, _, _, let durable): durable
      default: false
      }
    }
  }
}
