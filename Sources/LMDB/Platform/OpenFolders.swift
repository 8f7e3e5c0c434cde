import Synchronization

/// Which folders this process has open, whatever the paths they were opened by.
enum OpenFolders {
  private static let open = Monitor<Set<File.Identity>>([])

  /// The right to have a folder open, until it is released.
  final class Claim: Sendable {
    /// Held open, so that no other folder can get the same identity meanwhile.
    private let folder: Mutex<File?>
    private let identity: File.Identity

    fileprivate init(_ folder: consuming File, _ identity: File.Identity) {
      self.folder = Mutex(consume folder)
      self.identity = identity
    }

    deinit { release() }

    /// Lets others open the folder.
    ///
    /// A second time does nothing: another owner may have claimed it since.
    func release() {
      folder.withLock { folder in
        guard folder != nil else { return }
        OpenFolders.open.withLock { _ = $0.remove(identity) }
        folder = nil
      }
    }
  }

  /// Claims a folder; throws `alreadyOpen` where it is claimed.
  static func claim(_ path: String) throws(LMDBError) -> Claim {
    let folder = try File(path, .read)
    let identity = try folder.identity()
    guard open.withLock({ $0.insert(identity).inserted }) else {
      throw LMDBError(.alreadyOpen, "open \(path)")
    }
    return Claim(folder, identity)
  }
}
