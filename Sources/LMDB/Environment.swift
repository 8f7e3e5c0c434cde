import CLMDB

/// An LMDB environment: a folder with a memory-mapped file of sorted tables.
///
/// One process opens a folder once and shares the object; a second try throws `alreadyOpen`, since
/// closing either would drop the locks of both. Other processes may have it open as well. It is not
/// to be used across `fork`, nor on a network file system, where neither locks nor maps hold.
///
/// The map grows by itself, behind a gate that new transactions wait at, up to the ceiling that
/// ``Options`` name.
@safe
public final class Environment: Sendable {
  /// The folder.
  public let path: String

  /// What it was opened with.
  public let options: Options

  nonisolated(unsafe) let pointer: OpaquePointer
  let gate = Monitor(Gate())
  private let claim: OpenFolders.Claim

  /// The named limits of an environment, and how it is opened.
  public struct Options: Sendable, Hashable {
    /// The size of the map at first, in bytes.
    public var mapSize = 1 << 20
    /// The size beyond which the map doesn't grow.
    public var mapSizeMax = 1 << 40
    /// How many readers there may be at once, over all processes.
    public var readersMax = 126
    /// How many readers are kept for the next read transaction, which saves it a lock.
    public var idleReadersMax = 8
    /// How many named tables can be opened.
    public var tablesMax = 16
    /// How long growing waits for open readers to end before it gives up with `mapFull`.
    public var growthPatience = Duration.seconds(5)
    /// Whether nothing may be written.
    public var isReadOnly = false

    /// The default limits.
    public init() {}
  }

  /// Opens the environment in an existing folder, making its files where there are none.
  ///
  /// The file is examined before it is mapped, since LMDB trusts what it maps. Readers that died
  /// are cleared.
  ///
  /// - Throws: `missing`, `notPermitted`, `readOnly`; `alreadyOpen`; `invalid`,
  ///   `versionMismatch`, `truncated`, `corrupted` for a file that can't be trusted.
  public init(at path: String, options: Options = Options()) throws(LMDBError) {
    self.path = path
    self.options = options
    claim = try OpenFolders.claim(path)
    if !options.isReadOnly { try Self.createFile(in: path) }
    let size = try Self.examine(path)
    var created: OpaquePointer?
    try check(unsafe mdb_env_create(&created), "create an environment")
    guard let created = unsafe created else { throw LMDBError(.system(0), "open \(path)") }
    do throws(LMDBError) {
      try unsafe Self.open(created, path, options, size)
    } catch {
      unsafe mdb_env_close(created)
      throw error
    }
    unsafe pointer = unsafe created
  }

  deinit {
    closeFiles()
  }

  private static func open(
    _ pointer: OpaquePointer, _ path: String, _ options: Options, _ size: Int
  ) throws(LMDBError) {
    let mapSize = max(options.mapSize, size)
    try check(unsafe mdb_env_set_mapsize(pointer, mapSize), "size the map")
    try check(unsafe mdb_env_set_maxreaders(pointer, UInt32(options.readersMax)), "limit readers")
    try check(unsafe mdb_env_set_maxdbs(pointer, UInt32(options.tablesMax)), "limit tables")
    let mode = options.isReadOnly ? UInt32(MDB_RDONLY) : 0
    let flags = UInt32(MDB_NOTLS) | UInt32(MDB_NORDAHEAD) | mode
    try check(unsafe mdb_env_open(pointer, path, flags, 0o600), "open", path)
    try check(unsafe mdb_reader_check(pointer, nil), "clear readers")
  }

  /// Ends the use of the files.
  ///
  /// Transactions must have ended, and none can begin; traps otherwise. It waits for those who
  /// ``hold()`` it.
  ///
  /// It happens by itself when the last reference goes.
  public func close() { closeFiles() }

  /// Has closing wait for ``release()``, to be called once for each call of this.
  package func hold() { gate.withLock { $0.holds += 1 } }

  /// Ends a ``hold()``.
  package func release() {
    gate.withLock { $0.holds -= 1 }
    gate.notify()
  }

  private func closeFiles() {
    _ = gate.withLock(when: { $0.holds == 0 }) { _ in }
    let idle = unsafe gate.withLock { gate -> [OpaquePointer]? in
      precondition(gate.open == 0, "a transaction is open in \(path)")
      guard !gate.isClosed else { return nil }
      gate.isClosed = true
      defer { unsafe gate.idle = [] }
      return unsafe gate.idle
    }
    guard let idle = unsafe idle else { return }
    unsafe idle.forEach { unsafe mdb_txn_abort($0) }
    unsafe mdb_env_close(pointer)
    claim.release()
  }

  /// The handle of a table of this environment.
  func handle<Key, Value>(of table: Table<Key, Value>) -> MDB_dbi {
    precondition(
      table.environment == ObjectIdentifier(self), "\(table.label) is of another environment")
    return table.handle
  }
}
