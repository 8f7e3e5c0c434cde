/// A log for repeated trials that each use only some of its records.
public final class Trials {
  /// The log.
  public let log: Log
  private let definitions: Definitions
  private let records: [LooseRecord]

  /// The number of records that are loaded before it is asked whether to go on.
  private static let sliceMax: UInt64 = 1024

  /// Loads the intact records up to a number into memory, except erased ones.
  ///
  /// `mayGoOn` is called now and then; returning `false` cancels.
  ///
  /// - Complexity: O(bytes)
  /// - Throws: ``StoreError``; `cancelled`.
  public init(
    _ log: Log, reducer: some Reducer, through last: RecordNumber,
    mayGoOn: () -> Bool = { true }
  ) throws(StoreError) {
    self.log = log
    definitions = Definitions(reducer, replaying: log)
    var records: [LooseRecord] = []
    do {
      try log.read { snapshot throws in
        var cursor = try snapshot.records()
        while try cursor.nextWhole(through: last) {
          if !cursor.record.isErased { records.append(LooseRecord(cursor.record.record)) }
          let isSliceFull = cursor.number.rawValue % Trials.sliceMax == 0
          if isSliceFull, !mayGoOn() { throw StoreError.cancelled }
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
    try body(folded(numbers) { true })
  }

  /// Returns the answer to a question after the last of some records; a question with `again` is
  /// asked after each of them.
  ///
  /// `mayGoOn` is called now and then; returning `false` cancels.
  ///
  /// - Complexity: As folding those records, plus asking the question.
  /// - Throws: ``StoreError``; `cancelled`.
  public func isSo(
    _ question: PastQuestion, after numbers: [RecordNumber], mayGoOn: () -> Bool = { true }
  ) throws -> Bool {
    guard question.isAgain else { return try question.isSo(folded(numbers, mayGoOn)) }
    let replay: Replay
    do { replay = try Replay(beginningOf: log, definitions) } catch {
      throw StoreError(error, path: log.path)
    }
    var (was, wasNot, isNow) = (false, false, false)
    try replay.fold(chosen(numbers)) { past in
      guard mayGoOn() else { throw StoreError.cancelled }
      isNow = try question.isSo(past)
      if isNow { was = true } else if was { wasNot = true }
    }
    return wasNot && isNow
  }

  /// Returns the rows and lists after some of the records.
  private func folded(
    _ numbers: [RecordNumber], _ mayGoOn: () -> Bool
  ) throws(StoreError) -> Replay {
    do {
      let replay = try Replay(beginningOf: log, definitions)
      try replay.fold(chosen(numbers), while: mayGoOn)
      return replay
    } catch {
      throw StoreError(error, path: log.path)
    }
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
  ///
  /// - Throws: ``StoreError/cancelled`` if told not to go on.
  fileprivate func fold(_ records: [LooseRecord], while mayGoOn: () -> Bool) throws {
    for start in stride(from: 0, to: records.count, by: 4096) {
      guard mayGoOn() else { throw StoreError.cancelled }
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
