import CLMDB
import Synchronization

/// An LMDB environment: a folder with a memory-mapped file of sorted tables.
///
/// One process opens a folder once and shares the object; a second try throws `alreadyOpen`, since
/// closing either would drop the locks of both. For the same reason nothing else in the process may
/// open the file `lock.mdb`, not even to copy it: use ``copy(to:compacting:)``. Other processes may
/// have the environment open as well. It is not to be used in a child after `fork`, nor on a
/// network file system, where neither locks nor maps hold.
///
/// The map grows by itself, behind a gate that new transactions wait at, up to the ceiling that
/// ``Options`` name. It takes address space, not memory, and the file holds only what was written.
///
/// See <doc:Caveats> for what LMDB asks of its users and how each point is met.
@safe
public final class Environment: Sendable {
  /// The folder.
  public let path: String

  /// What it was opened with.
  public let options: Options

  /// What tells it apart from every other environment of this process, closed ones too.
  let number = Environment.numbers.wrappingAdd(1, ordering: .relaxed).newValue
  private static let numbers = Atomic<UInt64>(0)

  /// Replaced only behind the gate, while nobody is inside.
  nonisolated(unsafe) private(set) var pointer: OpaquePointer
  let gate = Monitor(Gate())
  /// Held while a table is opened for reading only.
  let opening = Mutex<Void>(())
  private let claim: OpenFolders.Claim

  /// The named limits of an environment, and how it is opened.
  public struct Options: Sendable, Hashable {
    /// The size of the map at first, in bytes; more where the file is larger already.
    public var mapSize = 1 << 20
    /// The size beyond which this process doesn't grow the map.
    public var mapSizeMax = 1 << 40
    /// How many readers there may be at once, over all processes.
    ///
    /// Whoever opens first decides, as long as anyone has it open.
    public var readersMax = 126
    /// How many readers are kept for the next read transaction, which saves it a lock; each holds a
    /// slot meanwhile.
    public var idleReadersMax = 8
    /// How many tables can be opened.
    ///
    /// A transaction costs a little for each, so keep it in the tens.
    public var tablesMax = 16
    /// How long replacing the map waits for the open transactions of this process to end before it
    /// gives up, with `mapFull` where it was to grow and `mapResized` where another process grew.
    public var growthPatience = Duration.seconds(5)
    /// Whether the system may read ahead of what is asked for.
    ///
    /// It makes the first scan of a long table faster, and the first look-ups here and there slower
    /// and dearer in memory.
    public var readsAhead = false
    /// Whether the file may be lost, whole, with the machine's power.
    ///
    /// Then neither it nor its name is flushed where it is made, and commits need not be either;
    /// see ``WriteTransaction/Flush/none``. Whoever says so must not open it again after such a
    /// loss, as LMDB can end the process over a file of which only parts were written.
    public var isDisposable = false
    /// Whether nothing may be written.
    ///
    /// The files must be there already. Readers still need a writable `lock.mdb`, except on a
    /// read-only file system: there nothing is locked, and nothing may change the file meanwhile.
    public var isReadOnly = false

    /// The default limits.
    public init() {}
  }

  /// Opens the environment in an existing folder, making its files where there are none.
  ///
  /// The file is examined before it is mapped, since LMDB trusts what it maps. Readers that died
  /// are cleared. Before anything is committed the names of the files and of the folder are on the
  /// medium; those of the folders above are the caller's to flush.
  ///
  /// - Throws: `missing`, `notPermitted`, `readOnly`; `alreadyOpen`; `invalid`,
  ///   `versionMismatch`, `truncated`, `corrupted` for a file that can't be trusted.
  public init(at path: String, options: Options = Options()) throws(LMDBError) {
    self.path = path
    self.options = options
    claim = try OpenFolders.claim(path)
    if !options.isReadOnly { try Self.createFile(in: path, isDisposable: options.isDisposable) }
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

  /// Opens the files anew, once every open transaction of this process has ended: nothing of what
  /// was written before is left in memory that LMDB would write with its next pages.
  ///
  /// LMDB keeps the pages that a commit has written for the next one, and doesn't clear them: bytes
  /// that were erased could come back in the unused parts of new pages. For an environment whose
  /// only table is the unnamed one.
  ///
  /// A ``hold()`` is waited for, however long.
  ///
  /// - Throws: `mapFull` where transactions stay open longer than ``Options/growthPatience``;
  ///   nothing has changed then.
  package func reopen() throws(LMDBError) {
    try besideNoKeeper { () throws(LMDBError) in
      try behindGate(.mapFull) { gate throws(LMDBError) in try reopen(&gate) }
    }
  }

  private func reopen(_ gate: inout Gate) throws(LMDBError) {
    let size = try Information(of: self, behind: gate).mapSize
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

  /// LMDB learns how a table is ordered when it is opened.
  private static func prepareUnnamedTable(of pointer: OpaquePointer) throws(LMDBError) {
    var (transaction, handle): (OpaquePointer?, MDB_dbi) = (nil, 0)
    let flags = UInt32(MDB_RDONLY)
    try check(unsafe mdb_txn_begin(pointer, nil, flags, &transaction), "begin to read")
    let result = unsafe mdb_dbi_open(transaction, nil, 0, &handle)
    try check(unsafe mdb_txn_commit(transaction), "open", label(nil))
    try check(result, "open", label(nil))
  }

  /// Ends the use of the files, so that the folder can be opened again.
  ///
  /// From then on everything throws `closed`. It waits for other threads' transactions to end, and
  /// traps where this thread has one open. A second time does nothing. It happens by itself when
  /// the last reference goes.
  public func close() { closeFiles() }

  /// Has closing, growing and reopening wait for ``release()``, to be called once for each call of
  /// this, and not by a thread that does one of these in between.
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

  /// LMDB's number for a table of this environment.
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
