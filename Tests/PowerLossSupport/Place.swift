package import LMDB

/// Where a workload works: the folder of its files, with its acknowledgements beside it.
///
/// ```
/// place/root/           the files that must survive
/// place/acknowledged    what the user was told, one line each
/// place/trace           what the recorder saw
/// ```
package struct Place: Hashable, Sendable {
  package let folder: Folder

  package init(_ path: String) { folder = Folder(path) }

  package var path: String { folder.path }
  package var root: Folder { folder.folder("root") }
  package var acknowledged: String { folder.path(of: "acknowledged") }
  package var trace: String { folder.path(of: "trace") }

  /// Creates the folders; the parent folder must exist.
  package func create() throws(LMDBError) {
    try folder.create()
    try root.create()
  }

  /// Returns all bytes of a file.
  package func bytes(of path: String) throws(LMDBError) -> [UInt8] {
    let file = try File(path, .read)
    return try file.bytes(at: 0, count: try file.size())
  }

  /// The acknowledgements to the user, line by line, without remarks.
  package var promises: [String] {
    get throws(LMDBError) {
      String(decoding: try bytes(of: acknowledged), as: UTF8.self)
        .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }
  }
}
