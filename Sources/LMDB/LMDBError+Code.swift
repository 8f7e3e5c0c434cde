import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension LMDBError {
  /// The ways in which LMDB, its file, or a call on it can fail.
  public enum Code: Sendable, Hashable {
    /// `MDB_KEYEXIST`: the key already exists, or an append was out of order.
    case keyExists
    /// `MDB_NOTFOUND`: there is no such key or table.
    case notFound
    /// `MDB_PAGE_NOTFOUND`: a page that another page refers to is not in the file.
    case pageNotFound
    /// `MDB_CORRUPTED`: a page is of the wrong kind.
    case corrupted
    /// `MDB_PANIC`: an earlier write of the meta page failed, or growing lost the map.
    case panic
    /// `MDB_VERSION_MISMATCH`: another version of LMDB wrote the file.
    case versionMismatch
    /// `MDB_INVALID`: the file is not an LMDB data file.
    case invalid
    /// `MDB_MAP_FULL`: the map is at its ceiling, could not grow beside an open transaction, or
    /// found no address space.
    case mapFull
    /// `MDB_DBS_FULL`: more tables were opened than the environment allows.
    case tablesFull
    /// `MDB_READERS_FULL`: live readers hold every reader slot.
    case readersFull
    /// `MDB_TLS_FULL`: no thread-local key is left (Windows only).
    case threadKeysFull
    /// `MDB_TXN_FULL`: one transaction touched too many pages.
    case transactionFull
    /// `MDB_CURSOR_FULL`: the tree is deeper than a cursor's stack, which only damage explains.
    case cursorFull
    /// `MDB_PAGE_FULL`: a page unexpectedly had no room, which only damage explains.
    case pageFull
    /// `MDB_MAP_RESIZED`: another process grew the file beyond this map, which could not grow
    /// beside an open transaction.
    case mapResized
    /// `MDB_INCOMPATIBLE`: the table was created with other options or another kind of key.
    case incompatible
    /// `MDB_BAD_RSLOT`: a reader slot was used twice.
    case badReaderSlot
    /// `MDB_BAD_TXN`: the transaction has already failed and can only end.
    case badTransaction
    /// `MDB_BAD_VALSIZE`: a key or value is empty or too long.
    case badValueSize
    /// `MDB_BAD_DBI`, or `EINVAL` for a table: the table was opened after this transaction began.
    case badTable

    /// The environment is already open in this process.
    case alreadyOpen
    /// The environment was closed.
    case closed
    /// The file ends before the last page that its meta page counts.
    case truncated
    /// A stored key or value can't be decoded as the table's type.
    case undecodable
    /// LMDB 0.9.24 is known to perform this operation incorrectly on tables with duplicates.
    case unsupported

    /// `ENOENT`: the folder or file doesn't exist.
    case missing
    /// `ENOTDIR`: a file is in place of the folder or of one of its parents.
    case notAFolder
    /// `EACCES`, `EPERM`: the system does not allow it.
    case notPermitted
    /// `EROFS`: the file system, or the environment, is read-only.
    case readOnly
    /// `ENOSPC`, `EDQUOT`: the disk or the quota is full.
    case diskFull
    /// Any other `errno`.
    case system(CInt)
  }
}

extension LMDBError.Code {
  init(returned value: CInt) {
    self = Self.known[value] ?? .system(value)
  }

  private static let known: [CInt: Self] = [
    MDB_KEYEXIST: .keyExists, MDB_NOTFOUND: .notFound, MDB_PAGE_NOTFOUND: .pageNotFound,
    MDB_CORRUPTED: .corrupted, MDB_PANIC: .panic, MDB_VERSION_MISMATCH: .versionMismatch,
    MDB_INVALID: .invalid, MDB_MAP_FULL: .mapFull, MDB_DBS_FULL: .tablesFull,
    MDB_READERS_FULL: .readersFull, MDB_TLS_FULL: .threadKeysFull,
    MDB_TXN_FULL: .transactionFull, MDB_CURSOR_FULL: .cursorFull, MDB_PAGE_FULL: .pageFull,
    MDB_MAP_RESIZED: .mapResized, MDB_INCOMPATIBLE: .incompatible,
    MDB_BAD_RSLOT: .badReaderSlot, MDB_BAD_TXN: .badTransaction,
    MDB_BAD_VALSIZE: .badValueSize, MDB_BAD_DBI: .badTable,
    ENOENT: .missing, ENOTDIR: .notAFolder, EACCES: .notPermitted, EPERM: .notPermitted,
    EROFS: .readOnly, ENOSPC: .diskFull, EDQUOT: .diskFull,
  ]

  /// What happened, as the end of a sentence.
  public var meaning: String { explained.meaning }

  /// What the caller can do about it.
  public var remedy: String { explained.remedy }

  private var explained: (meaning: String, remedy: String) {
    switch self {
    case .keyExists: ("the key already exists", "Replace it, or append in ascending order")
    case .notFound: ("no such key or table", "Create it first")
    case .pageNotFound: ("a page is missing from the file", "Check and salvage the file")
    case .corrupted: ("a page is damaged", "Check and salvage the file")
    case .panic: ("an earlier commit or growth failed halfway", "Close, check and reopen")
    case .versionMismatch: ("another LMDB version wrote the file", "Open it with that version")
    case .invalid: ("not an LMDB data file", "Name the right folder, or restore a backup")
    case .mapFull: ("the map is full", "Raise the ceiling, or end the readers that hold it")
    case .tablesFull: ("too many tables", "Raise `tablesMax` when opening")
    case .readersFull: ("too many readers", "End some, or raise `readersMax` when opening")
    case .threadKeysFull: ("no thread-local key left", "Open fewer environments")
    case .transactionFull: ("the transaction is too big", "Commit smaller parts")
    case .cursorFull: ("the tree is too deep", "Check and salvage the file")
    case .pageFull: ("a page overflowed", "Check and salvage the file")
    case .mapResized: ("another process grew the file", "End the open transactions and begin again")
    case .incompatible: ("the table was created with other options", "Open it with those")
    case .badReaderSlot: ("a reader slot was used twice", "Close and reopen")
    case .badTransaction: ("the transaction has failed", "Abort it and begin again")
    case .badValueSize: ("a key or value has an impossible size", "Keys hold 1 to 511 bytes")
    case .badTable: ("the table is newer than the transaction", "Open tables first")
    case .alreadyOpen: ("already open in this process", "Share the one environment")
    case .closed: ("the environment is closed", "Open it again")
    case .truncated: ("the file is cut off", "Salvage it, or restore a backup")
    case .undecodable: ("the stored bytes don't match the table's type", "Check the table's type")
    case .unsupported: ("unreliable on tables with duplicates", "Delete by key and value")
    case .missing: ("no such folder or file", "Name one that exists, or create it first")
    case .notAFolder: ("a file is where a folder should be", "Name a folder")
    case .notPermitted: ("the system does not allow it", "Fix the permissions")
    case .readOnly: ("it is read-only", "Open it on a writable volume")
    case .diskFull: ("the disk is full", "Free some space and try again")
    case .system(let number): Self.explained(number)
    }
  }

  private static func explained(_ number: CInt) -> (meaning: String, remedy: String) {
    switch number {
    case EMFILE: ("this process has too many files open", "Close some, or raise its limit")
    case ENFILE: ("the system has too many files open", "End some programs, or raise its limit")
    case ENOMEM: ("there is not enough memory", "End some programs and try again")
    case EIO:
      (
        "the disk failed, or was full within a page",
        "Free some space; check the disk, then the file; restore a backup"
      )
    case EFBIG:
      (
        "a file would exceed its size limit",
        "Raise the limit; if there is none, check and salvage the file"
      )
    case EEXIST: ("it already exists", "Name another")
    case EISDIR: ("it is a folder", "Name a file")
    case ESPIPE: ("it is a pipe", "Name a file")
    default: ("system error \(number)", "See errno \(number)")
    }
  }
}
