import LMDB

/// Walks through a log's file from the first record to the last and reports its contents.
struct LogCheck {
  private var judge: LogJudge
  private var report: CheckReport
  private var done: UInt64 = 0

  /// The number of entries between two progress reports.
  private static let progressStep: UInt64 = 1 << 14

  /// Checks the log in a folder.
  static func report(
    on folder: Folder, _ file: PageFile, _ progress: (_ done: UInt64, _ total: UInt64) -> Void
  ) -> CheckReport {
    var check = LogCheck(folder, file)
    let total = file.meta.main.entries
    let pages = FileReport.check(file) { entry in
      check.take(entry)
      if check.done % progressStep == 0 { progress(check.done, max(check.done, total)) }
    }
    check.judge.finish { check.report.add($0) }
    check.report.pages = pages
    progress(check.done, check.done)
    return check.report
  }

  private init(_ folder: Folder, _ file: PageFile) {
    judge = LogJudge(of: file)
    report = CheckReport(path: folder.path, pages: FileReport(size: file.size))
  }

  private mutating func take(_ entry: borrowing TreeEntry) {
    done += 1
    var found: [LogDamage] = []
    let verdict = judge.judge(entry) { found.append($0) }
    found.forEach { report.add($0) }
    switch verdict {
    case .store(let store): note(store)
    case .record(let number): note(number, entry.value)
    case .baselineRecord(let number):
      report.baselineCount += 1
      note(number, entry.value)
    case .damaged, .leftover: break
    }
  }

  private mutating func note(_ store: StoreRecord) {
    report.store = store.id
    report.generation = store.generation
    report.floor = store.floor
  }

  private mutating func note(_ number: RecordNumber, _ value: RawSpan) {
    guard let header = RecordHeader(value) else { return }
    report.recordCount += 1
    report.payloadBytes += UInt64(value.byteCount - header.byteCount)
    if header.isErased { report.erasedCount += 1 }
    if header.kind == .lost { report.lostCount += 1 }
    report.first = min(report.first ?? number, number)
    report.last = max(report.last ?? number, number)
  }
}

extension Log {
  /// Checks every page and every record of the log in a folder without changing anything.
  ///
  /// The check reads the file without opening the log, so damage can't end the process: check a
  /// doubtful log before opening it. Damage to one record never causes others to be reported. After
  /// a gap in the numbers the next record's header is trusted, since the chain before it is
  /// missing.
  ///
  /// The log may be open in this or another process. If it is written to while something seems
  /// wrong, the check restarts, and gives up after 16 attempts.
  ///
  /// - Parameters:
  ///   - folder: The log's folder.
  ///   - progress: Called now and then with the number of entries seen and the total.
  /// - Throws: `missing`, `notPermitted`; `notALog`, `damagedFile` if not even the first pages can
  ///   be read; `failed`. All other problems are in the report.
  /// - Complexity: O(size), with memory for a few pages, the longest payload, and two bits per
  ///   page.
  public static func check(
    at folder: String, progress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
  ) throws(LogError) -> CheckReport {
    let folder = Folder(folder)
    let path = folder.path(of: Environment.dataFile)
    do throws(LMDBError) {
      return try PageFile.look(at: path, isSound: \.isSound) { () throws(LMDBError) in
        LogCheck.report(on: folder, try PageFile(path), progress)
      }
    } catch {
      throw LogError(error, path: folder.path)
    }
  }
}
