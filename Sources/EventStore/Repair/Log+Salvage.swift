import LMDB

extension Log {
  /// Creates a new log, in a folder that holds none, from everything recoverable in a damaged log.
  ///
  /// Records come from the file's tree. Records missing there are recovered from anywhere in the
  /// file if their payload's checksum and the chain prove them. Records keep their numbers; a
  /// record of kind ``EventKind/lost`` replaces each lost one.
  ///
  /// The new log belongs to the same store, as a new incarnation and the next generation. Its chain
  /// equals the old one up to the first loss and is recomputed from there. The new log therefore
  /// accepts positions before the loss but none after it, since those would vouch for lost records.
  ///
  /// The old log must not be written to meanwhile. Its folder stays unchanged, and the new folder
  /// holds nothing that could be mistaken for a log until the new log is complete.
  ///
  /// - Parameters:
  ///   - folder: The damaged log's folder.
  ///   - newFolder: The new log's folder, which must exist.
  ///   - progress: Called now and then with the number of records found in the tree and written,
  ///     and the number of those in the tree.
  /// - Throws: `missing`; `notALog` if nothing in the file looks like a page; `occupied` if the new
  ///   folder holds a log; `diskFull`.
  /// - Complexity: O(size), with 16 bytes of memory per record missing from the tree.
  public static func salvage(
    from folder: String, into newFolder: String,
    progress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
  ) throws(LogError) -> SalvageReport {
    let file: PageFile
    do throws(LMDBError) {
      file = try PageFile.forSalvage(Folder(folder).path(of: Environment.dataFile))
    } catch {
      throw LogError(error, path: folder)
    }
    return try LogNursery.make(in: Folder(newFolder)) { nursery throws(LMDBError) in
      var salvage = try LogSalvage(file, into: nursery)
      return try salvage.run(progress)
    }
  }
}
