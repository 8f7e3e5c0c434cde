import LMDB

extension Log {
  /// Writes a copy of the log's current state into another folder, which must exist and hold no
  /// log.
  ///
  /// The copy is made on its own thread, so appending continues meanwhile; ``close()`` waits for
  /// it. The copy is a new incarnation of the same store. To restore it, open it, or put its folder
  /// in the log's place. It accepts positions taken before it was made, but none taken later.
  ///
  /// An interrupted backup leaves nothing that could be mistaken for a log, and the next backup
  /// removes its remains.
  ///
  /// - Parameters:
  ///   - folder: The folder for the copy.
  ///   - compacting: Whether to leave out free pages, and with them erased data not yet
  ///     overwritten; this is slower, and the copy is smaller.
  /// - Throws: `occupied` if the folder holds a log; `missing`, `diskFull`, `closed`.
  /// - Complexity: O(size). If the log grows to twice its size meanwhile, or payloads are erased,
  ///   appends wait until the copy is complete, however long that takes.
  public func backup(to folder: String, compacting: Bool = true) async throws(LogError) {
    try await writer.run { loop throws(LogError) in loop.file.environment.hold() }
    try await answered { (answer: ResumeOnce<Result<Void, LogError>>) in
      let file = file
      _ = WorkerThread {
        let result = Result { () throws(LogError) in
          try Self.copy(file, to: Folder(folder), compacting)
        }
        file.environment.release()
        answer.resume(result)
      }
    }.get()
  }

  private static func copy(
    _ file: LogFile, to folder: Folder, _ compacting: Bool
  ) throws(LogError) {
    try LogNursery.make(in: folder) { nursery throws(LMDBError) in
      file.environment.makeHeadroom()
      try file.environment.copy(to: nursery.path, compacting: compacting)
      try renew(nursery)
    }
  }

  /// Gives a copied log its own incarnation.
  private static func renew(_ folder: Folder) throws(LMDBError) {
    let file = try LogFile(at: folder.path, options: Environment.Options())
    defer { file.environment.close() }
    var random = SystemRandomNumberGenerator()
    let incarnation = StoreID(using: &random)
    let inode = try folder.identityOfData().inode
    try file.environment.write { transaction throws(LMDBError) in
      guard var store = try? file.store(in: transaction) else {
        throw LMDBError(.undecodable, "read the store's own record")
      }
      store.incarnation = incarnation
      store.inode = inode
      try file.put(store, in: &transaction)
    }
  }
}
