extension Trace {
  /// One operation of a workload on its files, or an acknowledgement to its user.
  ///
  /// Paths are relative to the root.
  package enum Operation: Hashable, Sendable {
    case create(Node, path: String)
    case makeFolder(Node, path: String)
    /// A write; a durable one returned once these bytes were on the medium.
    case write(Node, offset: Int, bytes: [UInt8], durable: Bool)
    case resize(Node, size: Int)
    case rename(from: String, to: String)
    case link(from: String, to: String)
    case remove(path: String)
    case flush(Node)
    case flushAll
    /// The workload told its user that data is kept; the bytes say which.
    case acknowledge([UInt8])

    /// Whether the operation promises that data is on the medium when it returns.
    package var isFlush: Bool {
      switch self {
      case .flush, .flushAll: true
      case .write(_, _, _, let durable): durable
      default: false
      }
    }
  }
}
