import LMDB

extension Log {
  /// Makes a new log, in a folder that holds none, of all that can be recovered from a damaged one.
  ///
  /// Records are taken from the file's tree, and what that lacks from wherever in the file a record
  /// lies that proves itself: by its payload's checksum and by the chain. They keep their numbers;
  /// in the place of a lost one stands a record of kind ``EventKind/lost``.
  ///
  /// The new log is of the same store, as a new incarnation and the next generation. Its chain is
  /// the old one up to the first loss, and computed anew from there: the new log holds positions
  /// before it, and none behind it, for those would vouch for what is gone.
  ///
  /// The old log must not be written to meanwhile. Nothing is changed in its folder, and nothing in
  /// the new one can be taken for a log before it is whole.
  ///
  /// - Parameters:
  ///   - folder: The damaged log's.
  ///   - newFolder: The new log's, which must exist.
  /// - Throws: `missing`; `notALog` where nothing in the file looks like a page; `occupied` where
  ///   the new folder holds a log; `diskFull`.
  /// - Complexity: O(size), with 16 bytes of memory for each record that the tree lacks.
  public static func salvage(
    from folder: String, into newFolder: String
  ) throws(LogError) -> SalvageReport {
    let file: PageFile
    do throws(LMDBError) {
      file = try PageFile.forSalvage(Folder(folder).path(of: Environment.dataFile))
    } catch {
      throw LogError(error, path: folder)
    }
    return try LogNursery.make(in: Folder(newFolder)) { nursery throws(LMDBError) in
      var salvage = try LogSalvage(file, into: nursery)
      return try salvage.run()
    }
  }
}
