import CLMDB

extension Environment {
  /// What an environment says of itself.
  public struct Information: Sendable, Hashable {
    /// The size of the map, in bytes.
    public let mapSize: Int
    /// The size of a page, in bytes.
    public let pageSize: Int
    /// How many pages the file has, used and free.
    public let pages: Int
    /// The number of the last committed transaction.
    public let lastTransaction: UInt64
    /// How many reader slots there are.
    public let readersMax: Int
    /// How many reader slots were ever used at once.
    public let readersUsed: Int
  }

  /// What the environment says of itself now.
  ///
  /// - Throws: `closed`.
  public var information: Information {
    get throws(LMDBError) {
      try gate.withLock { gate throws(LMDBError) in try Information(of: self, behind: gate) }
    }
  }

  /// The number of the last committed transaction of any process: a look that costs no transaction.
  ///
  /// It may be ahead of what a transaction begun now reads, by the instant in which a commit ends.
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
  /// `nil` where there is none.
  public var oldestReaderAge: Duration? {
    let began = gate.withLock { gate in gate.readers.map { $0.began }.min() }
    return began.map { Instant.now - $0 }
  }

  /// A slot of the table of readers that all processes share.
  public struct Reader: Sendable, Hashable {
    /// The process that holds it.
    public let process: Int
    /// The transaction that it reads, or `nil` while it is idle.
    public let transaction: UInt64?
  }

  /// The readers of all processes, the idle ones too; none on a read-only file system, where
  /// nobody takes a slot.
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
  /// It happens by itself on opening, where slots run out, and where a writer died; a process that
  /// runs for long beside others that may be killed calls it now and then.
  @discardableResult
  public func clearStaleReaders() throws(LMDBError) -> Int {
    var dead: CInt = 0
    try visit { () throws(LMDBError) in
      try check(unsafe mdb_reader_check(pointer, &dead), "clear readers of", path)
    }
    return Int(dead)
  }

  /// Writes what an earlier commit left in the system's cache to the medium.
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
  /// Throws where there is no map to look at.
  func requireMap(of path: String) throws(LMDBError) {
    guard !isClosed else { throw LMDBError(.closed, "use \(path)") }
    guard !isUnmapped else { throw LMDBError(.panic, "use \(path) after losing its map") }
  }
}

extension Environment.Information {
  /// Looks at the map, which stays where it is as long as the gate is held.
  init(of environment: Environment, behind gate: borrowing Gate) throws(LMDBError) {
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
  /// A reader from a line of LMDB's list: process, thread, transaction or a dash.
  fileprivate init?(_ line: Substring) {
    let words = line.split(separator: " ")
    guard words.count == 3, let process = Int(words[0]) else { return nil }
    self.init(process: process, transaction: UInt64(words[2]))
  }
}
