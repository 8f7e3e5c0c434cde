/// A log for repeated trials that each use only some of its records.
public final class Trials {
  /// The log.
  public let log: Log
  private let definitions: Definitions
  private let records: [LooseRecord]

  /// Loads the intact records up to a number into memory, except erased ones.
  ///
  /// - Complexity: O(bytes)
  /// - Throws: ``StoreError``.
  public init(
    _ log: Log, reducer: some Reducer, through last: RecordNumber
  ) throws(StoreError) {
    self.log = log
    definitions = Definitions(reducer, replaying: log)
    var records: [LooseRecord] = []
    do {
      try log.read { snapshot throws in
        var cursor = try snapshot.records()
        while try cursor.nextWhole(through: last) {
          if !cursor.record.isErased { records.append(LooseRecord(cursor.record.record)) }
        }
      }
    } catch {
      throw StoreError(error, path: log.path)
    }
    self.records = records
  }

  /// The numbers of all loaded records.
  public var numbers: [RecordNumber] { records.map(\.number) }

  /// Returns the result of `body` for the rows and lists after some of the records.
  ///
  /// - Complexity: As folding those records.
  /// - Throws: ``StoreError``; any error from `body`.
  public func `try`<R>(
    _ numbers: [RecordNumber], _ body: (Replay) throws -> R
  ) throws -> R {
    let replay: Replay
    do {
      replay = try Replay(beginningOf: log, definitions)
      try replay.fold(chosen(numbers))
    } catch {
      throw StoreError(error, path: log.path)
    }
    return try body(replay)
  }

  /// Returns the answer to a question after the last of some records; a question with `again` is
  /// asked after each of them.
  ///
  /// - Complexity: As folding those records, plus asking the question.
  /// - Throws: ``StoreError``.
  public func isSo(
    _ question: PastQuestion, after numbers: [RecordNumber]
  ) throws -> Bool {
    guard question.isAgain else { return try `try`(numbers) { try question.isSo($0) } }
    let replay: Replay
    do { replay = try Replay(beginningOf: log, definitions) } catch {
      throw StoreError(error, path: log.path)
    }
    var (was, wasNot, isNow) = (false, false, false)
    try replay.fold(chosen(numbers)) { past in
      isNow = try question.isSo(past)
      if isNow { was = true } else if was { wasNot = true }
    }
    return wasNot && isNow
  }

  private func chosen(_ numbers: [RecordNumber]) -> [LooseRecord] {
    var (chosen, wanted): ([LooseRecord], ArraySlice<RecordNumber>) = ([], numbers[...])
    chosen.reserveCapacity(numbers.count)
    for record in records {
      guard let next = wanted.first else { break }
      guard record.number == next else { continue }
      chosen.append(record)
      wanted.removeFirst()
    }
    return chosen
  }
}

extension Replay {
  /// Folds records that are in no log, starting from the beginning.
  fileprivate func fold(_ records: [LooseRecord]) throws {
    for start in stride(from: 0, to: records.count, by: 4096) {
      try workspace.reduce(records[start..<min(start + 4096, records.count)])
    }
  }

  /// Folds such records, calling `body` after each.
  fileprivate func fold(_ records: [LooseRecord], _ body: (Replay) throws -> Void) throws {
    for record in records {
      try workspace.reduce(record)
      try body(self)
    }
  }
}
