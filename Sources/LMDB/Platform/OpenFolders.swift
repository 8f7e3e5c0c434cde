import Synchronization

/// Which folders this process has open, whatever the paths they were opened by.
enum OpenFolders {
  private static let open = Mutex<Set<File.Identity>>([])

  /// The right to have a folder open, until it is released.
  final class Claim: Sendable {
    private let identity: File.Identity
    private let isHeld = Mutex(true)

    fileprivate init(_ identity: File.Identity) { self.identity = identity }

    deinit { release() }

    /// Lets others open the folder; a second time does nothing, as another may hold it by then.
    func release() {
      guard takeHold() else { return }
      OpenFolders.open.withLock { _ = $0.remove(identity) }
    }

    private func takeHold() -> Bool {
      isHeld.withLock { isHeld in
        defer { isHeld = false }
        return isHeld
      }
    }
  }

  /// Claims a folder; throws `alreadyOpen` where it is claimed.
  static func claim(_ path: String) throws(LMDBError) -> Claim {
    let identity = try File(path, .read).identity()
    guard open.withLock({ $0.insert(identity).inserted }) else {
      throw LMDBError(.alreadyOpen, "open \(path)")
    }
    return Claim(identity)
  }
}
