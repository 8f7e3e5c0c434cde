import Synchronization

/// The folders that this process has open, whatever the paths used to open them.
enum OpenFolders {
  /// Few enough for a linear search; instantiating a set's type alone would take a tenth of a
  /// millisecond when a process opens its first folder.
  private static let open = Monitor<[File.Identity]>([])

  /// The right to have a folder open, until it is released.
  final class Claim: Sendable {
    /// Held open, so that no other folder can get the same identity in the meantime.
    private let folder: Mutex<File?>
    private let identity: File.Identity

    fileprivate init(_ folder: consuming File, _ identity: File.Identity) {
      self.folder = Mutex(consume folder)
      self.identity = identity
    }

    deinit { release() }

    /// Lets others open the folder.
    ///
    /// A second call does nothing: another owner may have claimed the folder since.
    func release() {
      folder.withLock { folder in
        guard folder != nil else { return }
        OpenFolders.open.withLock { folders in folders.removeAll { $0 == identity } }
        folder = nil
      }
    }
  }

  /// Claims a folder; throws `alreadyOpen` if it is already claimed.
  static func claim(_ path: String) throws(LMDBError) -> Claim {
    let folder = try File(path, .read)
    let identity = try folder.identity()
    let isFirst = open.withLock { folders in
      guard !folders.contains(identity) else { return false }
      folders.append(identity)
      return true
    }
    guard isFirst else { throw LMDBError(.alreadyOpen, "open \(path)") }
    return Claim(folder, identity)
  }
}
