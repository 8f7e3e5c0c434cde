package import LMDB

/// A memory of records whose reduction ended the process, so that no such record can prevent the
/// store from opening for ever.
///
/// Nothing is written in normal operation. If the lease was inherited from a process that died, the
/// records after the views are reduced under a ``CrashWatch``, which notes each stretch before it
/// is reduced; a process that dies leaves its note behind. The rules:
///
/// 1. A record at which the process died twice, each time with a note of this record alone, is
///    skipped, and the skip is reported.
/// 2. The stretch noted when the process died is reduced record by record the next time, and so are
///    the first records after the views, where the cause of an unwatched death most likely is.
/// 3. Other reducers, and those of another store, start afresh: they may reduce skipped records.
///
/// It therefore takes one unwatched death, at most one more to narrow a stretch down to its
/// records, and two at the record. Killing the process from outside, at any time, causes no skip
/// unless it happens twice in a row at the same record.
package struct CrashGuard: Hashable, Sendable {
  /// The name of the file.
  package static let file = "guard"
  /// The number of deaths at one record after which it is skipped.
  static let deathsMax = 2
  /// The maximum number of skipped records; beyond it, reduction may end the process.
  package static let skippedMax = 64

  /// The number of deaths at a record.
  package struct Strikes: Hashable, Sendable {
    package var number: RecordNumber
    package var deaths: Int

    /// Creates a count of deaths at a record.
    package init(number: RecordNumber, deaths: Int) {
      self.number = number
      self.deaths = deaths
    }
  }

  /// The store that the guard belongs to.
  let store: StoreID
  /// The copy of the store that the guard belongs to.
  let incarnation: StoreID
  /// The version of the reducers.
  let reducers: UInt64
  /// The records being reduced now.
  package var noted: ClosedRange<RecordNumber>?
  /// The record at which the process last died while it was noted alone, and the number of
  /// consecutive deaths there.
  package var strikes: Strikes?
  /// The skipped records, in the order in which they were added.
  package var skipped: [RecordNumber] = []

  /// Creates an empty guard.
  package init(log: LogStanding, recipe: Recipe) {
    store = log.store
    incarnation = log.incarnation
    reducers = recipe.reducers
  }

  /// Whether the guard remembers nothing.
  var isEmpty: Bool { noted == nil && strikes == nil && skipped.isEmpty }

  /// Treats the noted records as the place where the previous process died; returns the newly
  /// skipped record, if any, and the records to reduce one by one.
  package mutating func takeDeath() -> (
    skipped: RecordNumber?, suspects: ClosedRange<RecordNumber>?
  ) {
    defer { noted = nil }
    guard let noted, noted.lowerBound == noted.upperBound,
      // A skipped record is not reduced, so it cannot have ended the process.
      !skipped.contains(noted.lowerBound)
    else { return (nil, noted) }
    let number = noted.lowerBound
    let deaths = (strikes?.number == number ? strikes?.deaths ?? 0 : 0) + 1
    guard deaths >= Self.deathsMax, skipped.count < Self.skippedMax else {
      strikes = Strikes(number: number, deaths: min(deaths, Self.deathsMax))
      return (nil, noted)
    }
    strikes = nil
    skipped.append(number)
    return (number, nil)
  }

  /// Returns the guard that a views folder has for a log and recipe; an empty one if it is missing,
  /// unreadable, or belongs to others.
  package static func read(
    in folder: Folder, log: LogStanding, recipe: Recipe
  ) throws(LMDBError) -> CrashGuard {
    let empty = CrashGuard(log: log, recipe: recipe)
    guard let bytes = try folder.bytes(of: file, limit: bytesMax),
      let found = CrashGuard(bytes.raw), found.store == empty.store,
      found.incarnation == empty.incarnation, found.reducers == empty.reducers
    else { return empty }
    return found
  }

  /// Atomically replaces the guard in a views folder, or removes it if it is empty.
  func write(in folder: Folder) throws(LMDBError) {
    guard !isEmpty else { return try folder.remove(Self.file) }
    try folder.replace(Self.file, with: bytes)
  }
}
