import LMDB

/// The result of opening: the files, the store's own record, and the end of the log.
struct LogOpening {
  let file: LogFile
  let store: StoreRecord
  let end: LogFile.End

  init(at path: String, options: Log.Options) throws(LogError) {
    do {
      try self.init(checking: path, options)
    } catch {
      throw LogError(error, path: path)
    }
  }

  private init(checking path: String, _ options: Log.Options) throws {
    file = try LogFile(at: path, options: options.environment)
    let inode = try File(Folder(path).path(of: Environment.dataFile), .read).identity().inode
    let file = file
    let found = try file.environment.read { try file.store(in: $0) }
    guard !options.isReadOnly else {
      guard let found else { throw LogError.notALog(path: path) }
      store = found
      end = try file.plausibleEnd
      return
    }
    let store =
      if let found, found.inode == inode { found } else {
        try Self.settle(file, inode, options)
      }
    self.store = store
    end = try file.plausibleEnd
  }

  /// Writes the record of a new store, or of a copy that was made by copying the file.
  ///
  /// Another process may have done so since the first check.
  private static func settle(
    _ file: LogFile, _ inode: UInt64, _ options: Log.Options
  ) throws -> StoreRecord {
    var random = options.random
    let fresh = StoreRecord(inode: inode, using: &random)
    let settled: Result<StoreRecord, LogError> = try file.environment.write {
      transaction throws(LMDBError) in
      let found: StoreRecord?
      do throws(LogError) { found = try file.store(in: transaction) } catch {
        return .failure(error)
      }
      if let found, found.inode == inode { return .success(found) }
      var store = found ?? fresh
      store.inode = inode
      store.incarnation = fresh.incarnation
      try file.put(store, in: &transaction)
      return .success(store)
    }
    return try settled.get()
  }
}

extension LogFile {
  /// The end of the log.
  ///
  /// - Throws: `LogError.damagedFile` if the last record has a number that only far more records
  ///   than fit into the file would lead to; ``Log/salvage(_:to:)`` finds the end then.
  fileprivate var plausibleEnd: End {
    get throws {
      let end = try environment.read { try self.end(in: $0) }
      let countMax = try environment.information.mapSize / Self.entryBytesMin
      guard end.base.number.distance(to: end.number) <= countMax else {
        throw LogError.damagedFile(
          path: environment.path, detail: "the last record's number, \(end.number.rawValue)")
      }
      return end
    }
  }
}

extension Log.Options {
  /// The options that concern the environment.
  var environment: Environment.Options {
    var options = Environment.Options()
    options.mapSize = mapSize
    options.mapSizeMax = mapSizeMax
    options.readersMax = readersMax
    options.isReadOnly = isReadOnly
    options.examinesPages = examinesPages
    return options
  }
}
