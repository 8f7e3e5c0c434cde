package import LMDB

/// Why views are not used and are made anew from the log.
package enum Distrust: Hashable, Sendable {
  /// No pointer says which generation is the current one, or it can't be read.
  case noPointer
  /// The views are of another store.
  case otherStore
  /// The views are of another copy of the store.
  case otherCopy
  /// The definitions of views have changed.
  case otherDefinitions
  /// The reducers have changed.
  case otherReducers
  /// The data file is gone.
  case missingFile
  /// The data file can't be opened.
  case damagedFile(LMDBError.Code)
  /// The data file is shorter than it was.
  case cutOff
  /// The data file is another than the one that was written.
  case otherFile
  /// The machine was restarted since the views were written, and the log doesn't call them clean.
  case restarted
  /// Nobody can tell whether the machine was restarted, and the log doesn't call them clean.
  case bootUnknown
  /// The log calls another generation or file clean.
  case otherStamp
  /// The views were written to since the log called them clean.
  case writtenSince
  /// The views go further than the log: an older log was put back beside them.
  case ahead
  /// What the views are behind by was compacted away.
  case behindFloor
  /// The log has other records where the views end than those they were made from.
  case otherHistory
}

extension Distrust: CustomStringConvertible {
  /// The reason in a sentence.
  package var description: String {
    switch self {
    case .noPointer: "Nothing says which generation of the views is the current one."
    case .otherStore: "The views are of another store."
    case .otherCopy: "The views are of another copy of the store."
    case .otherDefinitions: "The definitions of views have changed."
    case .otherReducers: "The reducers have changed."
    case .missingFile: "The views' data file is gone."
    case .damagedFile(let code): "The views' data file can't be opened: \(code.meaning)."
    case .cutOff: "The views' data file is shorter than it was."
    case .otherFile: "The views' data file is not the one that was written."
    case .restarted: "The machine was restarted since the views were written."
    case .bootUnknown: "It can't be told whether the machine was restarted since."
    case .otherStamp: "The log calls other views clean than these."
    case .writtenSince: "The views were written to since the log called them clean."
    case .ahead: "The views go further than the log."
    case .behindFloor: "What the views lack was compacted away."
    case .otherHistory: "The log's records are not those that the views were made from."
    }
  }
}
