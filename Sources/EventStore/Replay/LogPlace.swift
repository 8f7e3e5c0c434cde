/// A place in a log as a person writes it: a record's number, a moment, or the beginning or end.
///
///     1200                    after record 1200
///     -5                      five records before the last
///     2026-11-20T09:30:00Z    after the last record that is not later
///     2026-11-20              after the last record of the day before
///     -1h                     an hour ago; also s, m, d, and w
///     start, end
public enum LogPlace: Sendable, Hashable {
  /// After the record with a number.
  case number(RecordNumber)
  /// A number of records before the last.
  case beforeEnd(Int)
  /// After the last record, in the log's order, that is not later than a moment.
  case moment(Timestamp)
  /// A number of milliseconds ago.
  case ago(milliseconds: Int64)

  /// Before the first record.
  public static let start = LogPlace.number(.zero)
  /// After the last record.
  public static let end = LogPlace.beforeEnd(0)

  private static let units: [Character: Int64] = [
    "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
  ]

  /// Parses a place, using `moment` to parse moments; returns `nil` if the text is none.
  ///
  /// A number is never parsed as a moment.
  public init?(_ text: String, moment: (String) -> Timestamp?) {
    switch text {
    case "start": self = .start
    case "end": self = .end
    default:
      if let number = UInt64(text) {
        self = .number(RecordNumber(rawValue: number))
      } else if text.hasPrefix("-") {
        self.init(back: text.dropFirst())
      } else if Double(text) == nil, let moment = moment(text) {
        self = .moment(moment)
      } else {
        return nil
      }
    }
  }

  private init?(back text: Substring) {
    guard text.first?.isNumber == true else { return nil }
    if let count = Int(text) {
      self = .beforeEnd(count)
    } else if let unit = text.last.flatMap({ Self.units[$0] }), let count = Int64(text.dropLast()),
      !count.multipliedReportingOverflow(by: unit).overflow
    {
      self = .ago(milliseconds: count * unit)
    } else {
      return nil
    }
  }
}

/// The record that a place follows, and whether the place was unambiguous.
public struct FoundPlace: Sendable, Hashable {
  /// The record; the floor if the place is before all records.
  public let number: RecordNumber
  /// The number of earlier records with a later time than the requested moment because the clock
  /// had been set back.
  public let laterCount: Int

  /// A clause about an ambiguous moment; `nil` if it is unambiguous.
  public var remark: String? {
    guard laterCount > 0 else { return nil }
    return "\(laterCount) records before #\(number) have later times: "
      + "the clock was set back"
  }
}

extension Log {
  /// Finds the record that a place follows; relative times count back from `now`.
  ///
  /// - Complexity: O(1) for a number, O(n) for a moment.
  /// - Throws: ``LogError``: `damagedRecord` with `absent` after the last record; `compacted`
  ///   before the floor, or at a moment before any record and before part of the baseline.
  public func find(_ place: LogPlace, now: Timestamp) throws(LogError) -> FoundPlace {
    switch place {
    case .number(let number):
      // The place before the first record comes after whatever the log builds on.
      let number = number == .zero ? floor : number
      guard number >= floor else { throw .compacted(floor: floor) }
      guard try number <= last else { throw .damagedRecord(number, .absent) }
      return FoundPlace(number: number, laterCount: 0)
    case .beforeEnd(let count):
      let records = floor.distance(to: try last)
      return FoundPlace(
        number: floor.advanced(by: max(0, records - count)), laterCount: 0)
    case .moment(let moment): return try find(moment)
    case .ago(let milliseconds):
      let (moment, isBeyond) = now.rawValue.subtractingReportingOverflow(milliseconds)
      let end: Int64 = milliseconds > 0 ? .min : .max
      return try find(Timestamp(rawValue: isBeyond ? end : moment))
    }
  }

  private func find(_ moment: Timestamp) throws(LogError) -> FoundPlace {
    try reading { snapshot throws(LogError) in
      var (found, later, laterBefore) = (snapshot.floor, 0, 0)
      var next = snapshot.floor.advanced(by: 1)
      while next <= snapshot.last {
        let number = next
        next = next.advanced(by: 1)
        guard let header = try snapshot.readableHeader(of: number) else { continue }
        guard header.recordedAt <= moment else {
          later += 1
          continue
        }
        (found, laterBefore) = (number, later)
      }
      if found == snapshot.floor, try snapshot.isBaseline(laterThan: moment) {
        throw .compacted(floor: found)
      }
      return FoundPlace(number: found, laterCount: laterBefore)
    }
  }
}

extension Snapshot {
  /// Returns whether a baseline record, if any, was recorded later than a moment.
  fileprivate borrowing func isBaseline(laterThan moment: Timestamp) throws(LogError) -> Bool {
    guard base.baseline != nil else { return false }
    var cursor = try records()
    while let find = try cursor.find(), !cursor.isBehindBaseline {
      if case .record = find, cursor.record.header.recordedAt > moment { return true }
    }
    return false
  }

  /// Returns a record's header; `nil` if it is missing or unreadable.
  fileprivate func readableHeader(of number: RecordNumber) throws(LogError) -> RecordHeader? {
    do throws(LogError) { return try header(of: number) } catch {
      guard case .damagedRecord = error else { throw error }
      return nil
    }
  }
}
