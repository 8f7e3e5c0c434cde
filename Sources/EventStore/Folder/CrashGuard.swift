package import LMDB

/// What is remembered of records at which reduction ended the process, so that one of them can't
/// keep the store from opening for ever.
///
/// In normal running nothing is written. Where the lease was inherited from a process that died,
/// the records that follow the views are reduced under a ``CrashWatch``, which notes each stretch
/// before it is reduced; a process that dies leaves its note. The rule:
///
/// 1. A record at which the process died twice, each time with a note of this record alone, is
///    skipped, and said so.
/// 2. What was noted when the process died is gone through one by one the next time, and so are the
///    first records behind the views, where what ended a process that was not watched most likely
///    is.
/// 3. Other reducers, and those of another store, begin anew: they may reduce what was skipped.
///
/// So it takes one death unwatched, at most one more to narrow a stretch down to its records, and
/// two at the record. A process that is killed from outside, whenever that may be, makes no record
/// skipped unless it happens twice at the same one in a row.
package struct CrashGuard: Hashable, Sendable {
  /// The name of the file.
  package static let file = "guard"
  /// The deaths at one record after which it is skipped.
  static let deathsMax = 2
  /// The records that may be skipped; beyond that reduction ends the process as it will.
  package static let skippedMax = 64

  /// The deaths at a record.
  package struct Strikes: Hashable, Sendable {
    package var number: RecordNumber
    package var deaths: Int

    /// So many deaths at a record.
    package init(number: RecordNumber, deaths: Int) {
      self.number = number
      self.deaths = deaths
    }
  }

  /// The store that it is of.
  let store: StoreID
  /// The copy of the store that it is of.
  let incarnation: StoreID
  /// The reducers.
  let reducers: UInt64
  /// The records that are just being reduced.
  package var noted: ClosedRange<RecordNumber>?
  /// The record at which the process died last while it was noted alone, and how often in a row.
  package var strikes: Strikes?
  /// The records that are skipped, in the order in which they came to be.
  package var skipped: [RecordNumber] = []

  /// A guard that remembers nothing.
  package init(log: LogStanding, recipe: Recipe) {
    store = log.store
    incarnation = log.incarnation
    reducers = recipe.reducers
  }

  /// Whether there is nothing to remember.
  var isEmpty: Bool { noted == nil && strikes == nil && skipped.isEmpty }

  /// Takes what is noted for the place where the process before died; returns the record that is
  /// skipped from now on, where that is so, and what is to be gone through one by one.
  package mutating func takeDeath() -> (
    skipped: RecordNumber?, suspects: ClosedRange<RecordNumber>?
  ) {
    defer { noted = nil }
    guard let noted, noted.lowerBound == noted.upperBound,
      // What is skipped is not reduced, and so is not what the process died of.
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

  /// The guard that a views' folder has for a log and recipe: one that remembers nothing, where
  /// there is none, it is of others, or it can't be read.
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

  /// Becomes the guard of a views' folder, all at once.
  func write(in folder: Folder) throws(LMDBError) {
    guard !isEmpty else { return try folder.remove(Self.file) }
    try folder.replace(Self.file, with: bytes)
  }
}
