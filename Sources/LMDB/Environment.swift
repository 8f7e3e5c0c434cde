import CLMDB
import Synchronization

/// An LMDB environment: a folder with a memory-mapped file of sorted tables.
///
/// One process opens a folder once and shares the object. A second attempt throws `alreadyOpen`,
/// since closing either would drop the locks of both. For the same reason nothing else in the
/// process may open the file `lock.mdb`, not even to copy it: use ``copy(to:compacting:)``. Other
/// processes may have the environment open as well. Don't use it in a child after `fork`, nor on a
/// network file system, where neither locks nor maps work.
///
/// The map grows automatically, behind a gate where new transactions wait, up to the ceiling in
/// ``Options``. It takes address space, not memory, and the file holds only what was written.
///
/// See <doc:Caveats> for what LMDB requires of its users and how each point is met.
@safe
public final class Environment: Sendable {
  /// The path of the folder.
  public let path: String

  /// The options that the environment was opened with.
  public let options: Options

  /// The number that identifies this environment among all of this process, including closed ones.
  let number = Environment.numbers.wrappingAdd(1, ordering: .relaxed).newValue
  private static let numbers = Atomic<UInt64>(0)

  /// Replaced only behind the gate, while no thread is inside.
  nonisolated(unsafe) private(set) var pointer: OpaquePointer
  let gate = Monitor(Gate())
  /// Held while a table is opened read-only.
  let opening = Mutex<Void>(())
  private let claim: OpenFolders.Claim

  /// The named limits of an environment, and the options for opening it.
  public struct Options: Sendable, Hashable {
    /// The initial size of the map, in bytes; larger if the file is.
    public var mapSize = 1 << 20
    /// The size beyond which this process doesn't grow the map.
    public var mapSizeMax = 1 << 40
    /// The maximum number of concurrent readers over all processes.
    ///
    /// The first process to open the environment decides, until all have closed it.
    public var readersMax = 126
    /// The number of idle readers that are kept for later read transactions, each of which then
    /// saves a lock; an idle reader occupies a slot.
    public var idleReadersMax = 8
    /// The maximum number of open tables.
    ///
    /// Each costs every transaction a little, so keep it in the tens.
    public var tablesMax = 16
    /// How long replacing the map waits for the open transactions of this process before it fails,
    /// with `mapFull` if the map was to grow and `mapResized` if another process grew the file.
    public var growthPatience = Duration.seconds(5)
    /// Whether the system may read ahead.
    ///
    /// This makes the first scan of a long table faster, and the first scattered look-ups slower
    /// and more memory-hungry.
    public var readsAhead = false
    /// Whether the whole file may be lost when the machine loses power.
    ///
    /// Neither the file nor its name is then flushed on creation, and commits need no flush either;
    /// see ``WriteTransaction/Flush/none``. Never reopen such a file after a loss of power, as LMDB
    /// can crash the process on a partly written file.
    public var isDisposable = false
    /// Whether the environment is read-only.
    ///
    /// The files must exist already. Readers still need a writable `lock.mdb`, except on a
    /// read-only file system: there nothing is locked, and nothing may change the file in the
    /// meantime.
    public var isReadOnly = false
    /// Whether every page in use is examined before the file is mapped, and not only the first two:
    /// LMDB ends the process when it meets a damaged page.
    ///
    /// O(pages). A file that another process keeps writing to is opened without it.
    package var examinesPages = false

    /// The default limits.
    public init() {}
  }

  /// Opens the environment in an existing folder, creating its files if there are none.
  ///
  /// The file is examined before it is mapped, since LMDB trusts what it maps. Slots of dead
  /// readers are cleared. Before the first commit, the names of the files and of the folder are
  /// durable; flushing the folders above is up to the caller.
  ///
  /// - Throws: `missing`, `notPermitted`, `readOnly`; `alreadyOpen`; `invalid`, `versionMismatch`,
  ///   `truncated`, `corrupted` for a file that can't be trusted.
  public init(at path: String, options: Options = Options()) throws(LMDBError) {
    self.path = path
    self.options = options
    claim = try OpenFolders.claim(path)
    if !options.isReadOnly { try Self.createFile(in: path, isDisposable: options.isDisposable) }
    let size = try Self.examine(path, options)
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
    let mapSize = max(min(options.mapSize, options.mapSizeMax), size, 1).roundedUp(to: 1 << 16)
    guard AddressSpace.hasRoom(for: mapSize) else {
      throw LMDBError(.mapFull, "find \(mapSize) bytes of address space for \(path)")
    }
    try check(unsafe mdb_env_set_mapsize(pointer, mapSize), "size the map")
    try check(unsafe mdb_env_set_maxreaders(pointer, UInt32(options.readersMax)), "limit readers")
    try check(unsafe mdb_env_set_maxdbs(pointer, UInt32(options.tablesMax)), "limit tables")
    let mode = options.isReadOnly ? UInt32(MDB_RDONLY) : 0
    let ahead = options.readsAhead ? 0 : UInt32(MDB_NORDAHEAD)
    let flags = UInt32(MDB_NOTLS) | ahead | mode
    try check(unsafe mdb_env_open(pointer, path, flags, 0o600), "open", path)
    try check(unsafe mdb_reader_check(pointer, nil), "clear readers")
    if !options.isReadOnly, !options.isDisposable {
      try unsafe flushNames(of: pointer, in: path)
    }
  }

  /// Reopens the files, once every open transaction of this process has ended, so that LMDB has no
  /// old bytes in memory that it could write with its next pages.
  ///
  /// LMDB reuses the page buffers of a commit for the next, without clearing them: erased bytes
  /// could return in the unused parts of new pages. For an environment whose only table is the
  /// unnamed one.
  ///
  /// Waits for a ``hold()``, however long.
  ///
  /// - Throws: `mapFull` if transactions stay open longer than ``Options/growthPatience``; nothing
  ///   has changed then.
  package func reopen() throws(LMDBError) {
    try besideNoKeeper { () throws(LMDBError) in
      try behindGate(.mapFull) { gate throws(LMDBError) in try reopen(&gate) }
    }
  }

  private func reopen(_ gate: inout Gate) throws(LMDBError) {
    let size = try Information(of: self, after: gate).mapSize
    var created: OpaquePointer?
    try check(unsafe mdb_env_create(&created), "create an environment")
    guard let created = unsafe created else { throw LMDBError(.system(0), "open \(path)") }
    unsafe gate.idle.forEach { unsafe mdb_txn_abort($0) }
    unsafe gate.idle = []
    unsafe mdb_env_close(pointer)
    unsafe pointer = unsafe created
    gate.isUnmapped = true
    try unsafe Self.open(created, path, options, size)
    try unsafe Self.prepareUnnamedTable(of: created)
    gate.isUnmapped = false
  }

  /// LMDB learns a table's order when the table is opened.
  private static func prepareUnnamedTable(of pointer: OpaquePointer) throws(LMDBError) {
    var (transaction, handle): (OpaquePointer?, MDB_dbi) = (nil, 0)
    let flags = UInt32(MDB_RDONLY)
    try check(unsafe mdb_txn_begin(pointer, nil, flags, &transaction), "begin to read")
    let result = unsafe mdb_dbi_open(transaction, nil, 0, &handle)
    try check(unsafe mdb_txn_commit(transaction), "open", label(nil))
    try check(result, "open", label(nil))
  }

  /// Closes the files, so that the folder can be opened again.
  ///
  /// Everything then throws `closed`. Waits for other threads' transactions to end, and traps if
  /// this thread has one open. A second call does nothing. Happens automatically with the last
  /// reference.
  public func close() { closeFiles() }

  /// Makes closing, growing and reopening wait for ``release()``.
  ///
  /// Release once for each call. The holding thread must not do any of these in between.
  package func hold() { gate.withLock { $0.keepers += 1 } }

  /// Ends a ``hold()``.
  package func release() {
    gate.withLock { $0.keepers -= 1 }
    gate.notify()
  }

  private func closeFiles() {
    let thread = WorkerThread.current
    let isFirst = gate.withLock { gate in
      precondition(!gate.holds(thread), "this thread has a transaction open in \(path)")
      defer { gate.isClosed = true }
      return !gate.isClosed
    }
    guard isFirst,
      let idle = unsafe gate.withLock(when: { $0.isEmpty && $0.keepers == 0 }, { unsafe $0.idle })
    else { return }
    unsafe idle.forEach { unsafe mdb_txn_abort($0) }
    unsafe mdb_env_close(pointer)
    claim.release()
  }

  /// Returns LMDB's number for a table of this environment.
  func number(of table: TableHandle) -> MDB_dbi {
    precondition(table.environment == number, "the table is of another environment")
    return table.number
  }
}

extension Int {
  fileprivate func roundedUp(to multiple: Int) -> Int {
    (self + multiple - 1) / multiple * multiple
  }
}
