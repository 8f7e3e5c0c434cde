package import LMDB

/// The reason that views are not used, but rebuilt from the log.
package enum Distrust: Hashable, Sendable {
  /// The pointer to the current generation is missing or unreadable.
  case noPointer
  /// The views belong to another store.
  case otherStore
  /// The views belong to another copy of the store.
  case otherCopy
  /// The definitions of views have changed.
  case otherDefinitions
  /// The reducers have changed.
  case otherReducers
  /// The data file is gone.
  case missingFile
  /// The data file can't be opened.
  case damagedFile(LMDBError.Code)
  /// The data file was truncated.
  case cutOff
  /// The data file is not the one that was written.
  case otherFile
  /// The machine was restarted after the views were written, and the log has no stamp for them.
  case restarted
  /// It is unknown whether the machine was restarted, and the log has no stamp for the views.
  case bootUnknown
  /// The log's stamp is for another generation or file.
  case otherStamp
  /// The views were written to after they were stamped.
  case writtenSince
  /// The views are ahead of the log: an older log was restored beside them.
  case ahead
  /// The records that the views lack were compacted away.
  case behindFloor
  /// At the views' last record, the log's history differs from the one they were made from.
  case otherHistory
}

extension Distrust: CustomStringConvertible {
  /// A sentence that states the reason.
  package var description: String {
    switch self {
    case .noPointer: "No pointer says which generation of the views is current."
    case .otherStore: "The views belong to another store."
    case .otherCopy: "The views belong to another copy of the store."
    case .otherDefinitions: "The view definitions have changed."
    case .otherReducers: "The reducers have changed."
    case .missingFile: "The views' data file is gone."
    case .damagedFile(let code): "The views' data file can't be opened: \(code.meaning)."
    case .cutOff: "The views' data file is shorter than it was."
    case .otherFile: "The views' data file was replaced by another."
    case .restarted: "The machine was restarted after the views were written."
    case .bootUnknown: "It is unknown whether the machine was restarted since then."
    case .otherStamp: "The log marks other views as clean, not these."
    case .writtenSince: "The views were changed after the log marked them as clean."
    case .ahead: "The views are ahead of the log."
    case .behindFloor: "Records that the views lack were compacted away."
    case .otherHistory: "The log's records differ from those that the views were built from."
    }
  }
}
