import CLMDB

extension Environment {
  /// Facts about an environment.
  public struct Information: Sendable, Hashable {
    /// The size of the map, in bytes.
    public let mapSize: Int
    /// The size of a page, in bytes.
    public let pageSize: Int
    /// The number of pages in the file, used and free.
    public let pages: Int
    /// The number of the last committed transaction.
    public let lastTransaction: UInt64
    /// The number of reader slots.
    public let readersMax: Int
    /// The maximum number of reader slots ever used at once.
    public let readersUsed: Int
  }

  /// The current facts about the environment.
  ///
  /// - Throws: `closed`.
  public var information: Information {
    get throws(LMDBError) {
      try gate.withLock { gate throws(LMDBError) in try Information(of: self, after: gate) }
    }
  }

  /// The number of the last committed transaction of any process, read without a transaction.
  ///
  /// For the instant in which a commit ends, it may be ahead of what a new transaction reads.
  ///
  /// - Throws: `closed`.
  public var lastTransaction: UInt64 {
    get throws(LMDBError) {
      var information = unsafe MDB_envinfo()
      try gate.withLock { gate throws(LMDBError) in
        try gate.requireMap(of: path)
        _ = unsafe mdb_env_info(pointer, &information)
      }
      return UInt64(unsafe information.me_last_txnid)
    }
  }

  /// How long the oldest open read transaction of this process has been open.
  ///
  /// `nil` if there is none.
  public var oldestReaderAge: Duration? {
    let began = gate.withLock { gate in gate.readers.map { $0.began }.min() }
    return began.map { Instant.now - $0 }
  }

  /// A slot of the reader table that all processes share.
  public struct Reader: Sendable, Hashable {
    /// The process that holds the slot.
    public let process: Int
    /// The transaction that the reader reads, or `nil` while it is idle.
    public let transaction: UInt64?
  }

  /// Returns the readers of all processes, including idle ones; none on a read-only file system,
  /// where readers take no slots.
  ///
  /// - Complexity: O(*n*) in the number of readers.
  public func readers() throws(LMDBError) -> [Reader] {
    var text: [UInt8] = []
    let result = try visit { () throws(LMDBError) in
      unsafe withUnsafeMutablePointer(to: &text) { text in
        unsafe mdb_reader_list(pointer, { unsafe Environment.append($0, to: $1) }, text)
      }
    }
    guard result >= 0 else { throw LMDBError(returned: result, "list the readers of \(path)") }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap(Reader.init)
  }

  private static func append(
    _ line: UnsafePointer<CChar>?, to text: UnsafeMutableRawPointer?
  ) -> CInt {
    guard let line = unsafe line,
      let text = unsafe text?.assumingMemoryBound(to: [UInt8].self)
    else { return 0 }
    unsafe text.pointee.append(contentsOf: String(cString: line).utf8)
    return 0
  }

  /// Frees the slots of readers whose process is gone; returns how many there were.
  ///
  /// This happens automatically on opening, when slots run out, and after a writer died. A
  /// long-running process should call it now and then if processes beside it may be killed.
  @discardableResult
  public func clearStaleReaders() throws(LMDBError) -> Int {
    var dead: CInt = 0
    try visit { () throws(LMDBError) in
      try check(unsafe mdb_reader_check(pointer, &dead), "clear readers of", path)
    }
    return Int(dead)
  }

  /// Makes earlier commits that are still in the system's cache durable.
  ///
  /// - Throws: `readOnly`; the system's error, after which the environment must be reopened.
  public func flush() throws(LMDBError) {
    guard !options.isReadOnly else { throw LMDBError(.readOnly, "flush \(path)") }
    try visit { () throws(LMDBError) in
      try check(unsafe mdb_env_sync(pointer, 1), "flush", path)
    }
  }
}

extension Gate {
  /// Throws if there is no map to read.
  func requireMap(of path: String) throws(LMDBError) {
    guard !isClosed else { throw LMDBError(.closed, "use \(path)") }
    guard !isUnmapped else { throw LMDBError(.panic, "use \(path) after losing its map") }
  }
}

extension Environment.Information {
  /// Reads from the map, which can't move while the gate is held.
  init(of environment: Environment, after gate: borrowing Gate) throws(LMDBError) {
    try gate.requireMap(of: environment.path)
    var information = unsafe MDB_envinfo()
    var statistics = MDB_stat()
    unsafe mdb_env_info(environment.pointer, &information)
    unsafe mdb_env_stat(environment.pointer, &statistics)
    unsafe self.init(
      mapSize: information.me_mapsize, pageSize: Int(statistics.ms_psize),
      pages: information.me_last_pgno + 1, lastTransaction: UInt64(information.me_last_txnid),
      readersMax: Int(information.me_maxreaders), readersUsed: Int(information.me_numreaders))
  }
}

extension Environment.Reader {
  /// Parses a line of LMDB's list: process, thread, transaction or a dash.
  fileprivate init?(_ line: Substring) {
    let words = line.split(separator: " ")
    guard words.count == 3, let process = Int(words[0]) else { return nil }
    self.init(process: process, transaction: UInt64(words[2]))
  }
}
