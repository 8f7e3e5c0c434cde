import LMDB

/// The statistics of a log's content.
public struct LogStatistics: Hashable, Sendable {
  /// The totals of a set of records.
  public struct Sum: Hashable, Sendable {
    /// The number of records.
    public internal(set) var records = 0
    /// The bytes of their headers.
    public internal(set) var headerBytes = 0
    /// The bytes of their payloads.
    public internal(set) var payloadBytes = 0

    mutating func add(_ header: RecordHeader, payload: Int) {
      records += 1
      headerBytes += header.byteCount
      payloadBytes += payload
    }
  }

  /// The last record that was compacted away.
  public internal(set) var floor = RecordNumber.zero
  /// The last record.
  public internal(set) var last = RecordNumber.zero
  /// All records.
  public internal(set) var all = Sum()
  /// The records that stand for what was compacted away.
  public internal(set) var baseline = Sum()
  /// The records of each kind.
  public internal(set) var kinds: [EventKind: Sum] = [:]
  /// The number of erased records.
  public internal(set) var erased = 0
  /// The number of intents.
  public internal(set) var intents = 0
  /// The number of damaged records.
  public internal(set) var damaged = 0
  /// The time of the earliest recording, by the clock then.
  public internal(set) var earliest: Timestamp?
  /// The time of the latest recording.
  public internal(set) var latest: Timestamp?
  /// The maximum number of records recorded in one clock hour.
  public internal(set) var busiestHour = 0
  /// The size of the file's pages, in bytes.
  public internal(set) var pageBytes = 0
  /// The number of pages in the file.
  public internal(set) var pages = 0
  /// The number of pages that hold records.
  public internal(set) var recordPages = 0
  /// The number of commits, as far as the file tells.
  public internal(set) var commits: UInt64 = 0

  /// The number of pages without records: the file's head and list, and reusable pages.
  public var otherPages: Int { max(0, pages - recordPages) }

  /// The bytes of the file for each byte of a record.
  public var spaceAmplification: Double? {
    let bytes = all.headerBytes + all.payloadBytes
    return bytes > 0 ? Double(pages * pageBytes) / Double(bytes) : nil
  }

  /// The approximate number of bytes written for each byte of a record: each commit writes its
  /// records, the pages on the way to them, and the file's head.
  public var writeAmplification: Double? {
    let bytes = all.headerBytes + all.payloadBytes
    guard bytes > 0 else { return nil }
    let pages = Double(commits) * Double(Self.pagesOfCommit)
    return (Double(bytes) + pages * Double(pageBytes)) / Double(bytes)
  }

  /// The pages that a commit writes besides full pages of records, as measured in <doc:LogFormat>.
  private static let pagesOfCommit = 4
}

extension Log {
  /// Computes statistics of the log's content.
  ///
  /// - Parameter progress: Called now and then with the number of records read; if it returns
  ///   `false`, the computation stops with what was found so far.
  /// - Complexity: O(bytes)
  /// - Throws: ``LogError``.
  public func statistics(
    progress: (_ done: Int) -> Bool = { _ in true }
  ) throws(LogError) -> LogStatistics {
    var statistics = LogStatistics()
    do throws(LMDBError) {
      let information = try file.environment.information
      (statistics.pages, statistics.pageBytes) = (information.pages, information.pageSize)
      statistics.commits = information.lastTransaction
    } catch {
      throw LogError(error, path: path)
    }
    var hours: [Int64: Int] = [:]
    try reading { snapshot throws(LogError) in
      (statistics.floor, statistics.last) = (snapshot.floor, snapshot.last)
      statistics.recordPages = try snapshot.byteCount / max(1, statistics.pageBytes)
      var cursor = try snapshot.records()
      var goesOn = true
      while goesOn {
        switch try cursor.find() {
        case nil: return
        case .damage?: statistics.damaged += 1
        case .record?:
          let record = cursor.record
          let header = record.header
          statistics.add(header, payload: record.payload.byteCount)
          if record.number <= statistics.floor {
            statistics.baseline.add(header, payload: record.payload.byteCount)
          }
          hours[header.recordedAt.rawValue / 3_600_000, default: 0] += 1
        }
        if statistics.all.records % 4096 == 0 { goesOn = progress(statistics.all.records) }
      }
    }
    statistics.busiestHour = hours.values.max() ?? 0
    return statistics
  }
}

extension LogStatistics {
  fileprivate mutating func add(_ header: RecordHeader, payload: Int) {
    all.add(header, payload: payload)
    kinds[header.kind, default: Sum()].add(header, payload: payload)
    if header.isErased { erased += 1 }
    if header.origin == .intent { intents += 1 }
    earliest = min(earliest ?? header.recordedAt, header.recordedAt)
    latest = max(latest ?? header.recordedAt, header.recordedAt)
  }
}
