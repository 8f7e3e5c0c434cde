package import LMDB

/// The reason that a log can't do what was requested, and the remedy.
public enum LogError: Error, Hashable, Sendable {
  /// The folder doesn't exist.
  case missing(path: String)
  /// A file is in place of the folder, or of one of its parents.
  case notAFolder(path: String)
  /// The system denies permission.
  case notPermitted(path: String)
  /// The volume is read-only.
  case readOnly(path: String)
  /// This process already has the log open.
  case alreadyOpen(path: String)
  /// A log already exists where a new one is to be created.
  case occupied(path: String)
  /// The folder's content is not a log.
  case notALog(path: String)
  /// The log was written by a later version.
  case newerFormat(path: String, found: Int, known: Int)
  /// The file is truncated or damaged in a part that the log needs.
  case damagedFile(path: String, detail: String)
  /// A record differs from what was written.
  case damagedRecord(RecordNumber, RecordDamage)
  /// The disk is full. Nothing of the batch is in the log, and it can be appended later.
  case diskFull(path: String)
  /// The map is at its maximum size, or readers kept it from growing. Nothing of the batch is in
  /// the log.
  case mapFull(path: String)
  /// A flush or the system failed. What was being appended may or may not be in the log; nothing
  /// more is acknowledged until the log is reopened.
  case failed(path: String, detail: String)
  /// A payload or batch exceeds its size limit.
  case tooLarge(what: String, bytes: Int, limit: Int)
  /// A batch or erasure has more items than its limit.
  case tooMany(of: String, count: Int, limit: Int)
  /// The requested records were compacted away; the oldest remaining ones come after the floor.
  case compacted(floor: RecordNumber)
  /// The log is being compacted, or payloads are being erased, by this or another process.
  case busy(path: String)
  /// The log was closed.
  case closed(path: String)
}

extension LogError: CustomStringConvertible {
  /// The problem, its subject, and the remedy.
  public var description: String {
    switch self {
    case .missing(let path): "\(path) does not exist. Create the folder first."
    case .notAFolder(let path):
      "\(path) is a file, or is inside one. Name a folder."
    case .notPermitted(let path): "The system denies access to \(path). Fix its permissions."
    case .readOnly(let path): "\(path) is read-only. Open it on a writable volume."
    case .alreadyOpen(let path): "\(path) is already open in this process. Share that log."
    case .occupied(let path): "\(path) already holds a log. Name a folder without one."
    case .notALog(let path): "\(path) holds no log. Name the right folder."
    case .newerFormat(let path, let found, let known):
      "\(path) has format \(found), newer than \(known), the newest known. Update the application."
    case .damagedFile(let path, let detail):
      "\(path) is damaged: \(detail.withoutStop). Salvage it, or restore a backup."
    case .damagedRecord(let number, .absent):
      "Record \(number) does not exist. Name another, or check the log if it should."
    case .damagedRecord(let number, let damage):
      "Record \(number) is damaged (\(damage)). Check and salvage the log."
    case .diskFull(let path): "The disk that holds \(path) is full. Free some space and try again."
    case .mapFull(let path):
      "The map of \(path) is full. Raise its ceiling, or end long-running readers."
    case .failed(let path, let detail):
      "\(path) failed: \(detail.withoutStop). Close, check and reopen it."
    case .tooLarge(let what, let bytes, let limit):
      "A \(what) of \(bytes) bytes exceeds the limit of \(limit). Shorten or split it."
    case .tooMany(let what, let count, let limit):
      "\(count) \(what) exceed the limit of \(limit). Split them."
    case .compacted(let floor): "Records up to \(floor) were compacted away. Start after them."
    case .busy(let path):
      "The log in \(path) is being compacted, or its payloads erased. Try again later."
    case .closed(let path): "The log in \(path) is closed. Reopen it, or resume its store."
    }
  }

  /// Converts any failure to a log's error.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as LogError: self = error
    case let error as LMDBError: self = LogError(error, path: path)
    default: self = .failed(path: path, detail: "\(error)")
    }
  }

  /// Converts a failure of the underlying file to a log's error.
  package init(_ error: LMDBError, path: String) {
    switch error.code {
    case .missing: self = .missing(path: path)
    case .notAFolder: self = .notAFolder(path: path)
    case .notPermitted: self = .notPermitted(path: path)
    case .readOnly: self = .readOnly(path: path)
    case .alreadyOpen: self = .alreadyOpen(path: path)
    case .invalid, .incompatible, .versionMismatch: self = .notALog(path: path)
    case .truncated, .corrupted, .pageNotFound, .undecodable, .cursorFull, .pageFull:
      self = .damagedFile(path: path, detail: "\(error.subject): \(error.code.meaning)")
    case .diskFull: self = .diskFull(path: path)
    case .closed: self = .closed(path: path)
    case .mapFull, .mapResized: self = .mapFull(path: path)
    default: self = .failed(path: path, detail: error.description)
    }
  }
}

extension String {
  /// The string as part of a sentence: without its final stop, if any.
  package var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
