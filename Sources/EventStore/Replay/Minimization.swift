/// The search for as few records as possible that show a fault, by leaving out ever smaller parts.
///
/// Records keep their numbers, so that what they say of each other stays true.
public struct Minimization: Sendable {
  /// What is left, in ascending order.
  public private(set) var numbers: [RecordNumber]
  /// How often it was asked whether the fault shows.
  public private(set) var trials = 0
  /// How many parts are left out in turn.
  private var granularity = 2

  /// A search among records that show the fault together.
  public init(_ numbers: [RecordNumber]) { self.numbers = numbers }

  /// Leaves out whatever the fault doesn't need, until no single record can be left out.
  ///
  /// - Parameter shows: Whether some records show the fault.
  /// - Complexity: O(*k* log *n*) questions for a fault that needs *k* of *n* records, O(*n*²) for
  ///   one that depends on them in the worst way.
  /// - Throws: What `shows` throws, which ends the search; what is left then shows the fault.
  public mutating func run(_ shows: ([RecordNumber]) throws -> Bool) throws {
    while numbers.count > 1 {
      granularity = min(granularity, numbers.count)
      if try reduce(shows) { continue }
      guard granularity < numbers.count else { return }
      granularity *= 2
    }
  }

  /// Goes over to a part that shows the fault alone, or leaves out each part that isn't needed.
  private mutating func reduce(_ shows: ([RecordNumber]) throws -> Bool) throws -> Bool {
    let parts = Self.parts(numbers, granularity)
    for part in parts where try ask(Array(part), shows) {
      (numbers, granularity) = (Array(part), 2)
      return true
    }
    guard granularity > 2 else { return false }
    var isLess = false
    // From the end: what comes later needs what came before, and seldom the other way round.
    for part in parts.reversed() {
      let rest = numbers.filter { !(part[part.startIndex]...part[part.endIndex - 1] ~= $0) }
      guard rest.count < numbers.count, !rest.isEmpty, try ask(rest, shows) else { continue }
      (numbers, isLess) = (rest, true)
      granularity = max(granularity - 1, 2)
    }
    return isLess
  }

  private mutating func ask(
    _ numbers: [RecordNumber], _ shows: ([RecordNumber]) throws -> Bool
  ) rethrows -> Bool {
    trials += 1
    return try shows(numbers)
  }

  private static func parts(
    _ numbers: [RecordNumber], _ count: Int
  ) -> [ArraySlice<RecordNumber>] {
    (0..<count).map { part in
      numbers[(numbers.count * part / count)..<(numbers.count * (part + 1) / count)]
    }
  }
}

/// A log of which only some records count at a time, to be tried again and again.
public final class Trials {
  /// The log.
  public let log: Log
  private let definitions: Definitions
  private let records: [LooseRecord]

  /// The records up to a number, all of which are held in memory.
  ///
  /// - Complexity: O(bytes)
  /// - Throws: ``StoreError``.
  public init(
    _ log: Log, reducer: some Reducer, through last: RecordNumber
  ) throws(StoreError) {
    self.log = log
    definitions = Definitions(reducer, seed: log.viewsSeed)
    var records: [LooseRecord] = []
    do {
      try log.read { snapshot throws in
        var cursor = try snapshot.records()
        while true {
          do throws(LogError) {
            guard try cursor.next(), cursor.number <= last else { break }
          } catch {
            guard case .damagedRecord = error else { throw error }
            continue
          }
          if !cursor.record.isErased { records.append(LooseRecord(cursor.record.record)) }
        }
      }
    } catch {
      throw StoreError(error, path: log.path)
    }
    self.records = records
  }

  /// The numbers of all records.
  public var numbers: [RecordNumber] { records.map(\.number) }

  /// What `body` makes of rows and lists behind some of the records.
  ///
  /// - Complexity: As folding those records.
  /// - Throws: ``StoreError``; what `body` throws.
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
  /// Folds records that are in no log, from the beginning on.
  fileprivate func fold(_ records: [LooseRecord]) throws {
    for start in stride(from: 0, to: records.count, by: 4096) {
      try workspace.reduce(records[start..<min(start + 4096, records.count)])
    }
    if workspace.hasMissingViews { try workspace.buildMissingViews() }
  }
}
