import LMDB

/// Writes a new log from everything in a damaged one that proves intact.
struct LogSalvage: ~Copyable {
  private let file: PageFile
  private let survey: SalvageSurvey
  private var finds: RecordFinds
  private var writer: LogRewriter
  private var report: SalvageReport
  /// The old log's chain at the last written record, if that was intact.
  private var chain: Chain?
  private var time = Timestamp(rawValue: 0)

  /// The number of records between two progress reports.
  private static let progressStep: UInt64 = 1 << 14

  init(_ file: PageFile, into folder: Folder) throws(LMDBError) {
    self.file = file
    let survey = SalvageSurvey(file)
    self.survey = survey
    finds = RecordFinds(in: file) { survey.isWanted($0) }
    let store = Self.store(survey, finds)
    chain = survey.store?.base.chain
    writer = try LogRewriter(in: folder, store)
    report = SalvageReport(store: store.id, isNewStore: survey.store == nil)
    report.isBaselineWhole = survey.isBaselineWhole
    if let baseline = survey.store?.baseline { writer.beginBaseline(in: baseline.area) }
  }

  /// Returns the new log's own record: the old one except for what distinguishes copies, or a new
  /// one that counts everything before the first record as compacted.
  private static func store(
    _ survey: SalvageSurvey, _ finds: borrowing RecordFinds
  ) -> StoreRecord {
    var random = SystemRandomNumberGenerator()
    var fresh = StoreRecord(inode: 0, using: &random)
    guard var store = survey.store else {
      let first = [survey.first, finds.numbers(from: 1).first].compactMap(\.self).min()
      fresh.floor = first?.advanced(by: -1) ?? .zero
      return fresh
    }
    store.incarnation = fresh.incarnation
    store.generation += 1
    store.viewsStamp = nil
    store.baseline = nil
    store.task = store.task?.afterSalvage
    // Positions after an incomplete baseline would vouch for its lost records.
    if !survey.isBaselineWhole {
      store.floorChain = Checksum.of(store.incarnation.bytes.raw, continuing: store.floorChain)
    }
    return store
  }

  /// Writes the new log and returns what was recovered from the old one.
  mutating func run(
    _ progress: (_ done: UInt64, _ total: UInt64) -> Void
  ) throws(LMDBError) -> SalvageReport {
    var judge = LogJudge(of: file, store: survey.store)
    var walk = TreeWalk(file)
    var isAtBaseline = false
    try walk.visit(file.meta.main) { (entry) throws(LMDBError) in
      let verdict = judge.judge(entry) { _ in }
      guard let header = RecordHeader(entry.value) else { return }
      let next = RecordFinds.Version(header: header, bytes: entry.value.array)
      switch verdict {
      case .record(let number): if number > writer.last { try take(number, next) }
      case .baselineRecord(let number):
        // The baseline comes last.
        if !isAtBaseline { try fillEnd() }
        isAtBaseline = true
        try writer.appendBaseline(number, header, next.payload)
        report.recordsFromTree += 1
      case .store, .leftover, .damaged: return
      }
      let done = report.recordsFromTree
      if done % Self.progressStep == 0 { progress(done, max(done, file.meta.main.entries)) }
    }
    if !isAtBaseline { try fillEnd() }
    try writer.finish()
    report.last = writer.last
    progress(report.recordsFromTree, report.recordsFromTree)
    return report
  }

  /// Writes an intact record, preceded by recovered or substitute records for missing numbers.
  private mutating func take(
    _ number: RecordNumber, _ version: RecordFinds.Version
  ) throws(LMDBError) {
    try fill(upTo: number, version)
    try write(version.header, version.payload)
    report.recordsFromTree += 1
  }

  /// Writes the records recovered before an intact record, and substitutes for the others.
  private mutating func fill(
    upTo number: RecordNumber, _ next: RecordFinds.Version
  ) throws(LMDBError) {
    while writer.last.advanced(by: 1) < number {
      let isLast = writer.last.advanced(by: 2) == number
      try fillOne(before: isLast ? next : nil)
    }
  }

  /// Writes the records recovered after the last intact record.
  private mutating func fillEnd() throws(LMDBError) {
    let limit = survey.last.rawValue &+ UInt64(file.size) / 32
    for number in finds.numbers(from: writer.last.advanced(by: 1)) {
      guard number.rawValue <= limit else { break }
      guard number <= survey.last || isProbable(number) else { continue }
      while writer.last < number { try fillOne(before: nil) }
    }
    while writer.last < survey.last { try fillOne(before: nil) }
  }

  /// Returns whether a record after the last one is more than bytes resembling a record: it has a
  /// payload, proved by its checksum, or it follows the record before it.
  private mutating func isProbable(_ number: RecordNumber) -> Bool {
    let follows = writer.last.advanced(by: 1) == number
    return finds.versions(of: number).contains { version in
      let links = chain.map { version.chain(at: number, after: $0) == version.chain }
      return follows && links == true || version.header.payloadCount > 0
    }
  }

  /// Writes the next record if it can be recovered, otherwise a substitute.
  private mutating func fillOne(before next: RecordFinds.Version?) throws(LMDBError) {
    let number = writer.last.advanced(by: 1)
    let later = next.map { [$0] } ?? finds.versions(of: number.advanced(by: 1))
    let versions = finds.versions(of: number)
    guard
      let version = versions.first(where: {
        fits($0, number, before: later, areSound: next != nil)
      })
    else { return try lose(number) }
    try write(
      version.header, version.payload,
      chain: chain.map {
        version.chain(at: number, after: $0)
      })
    report.recordsFromPages += 1
  }

  /// Returns whether a record is proved to be the one with its number.
  ///
  /// If the chain before it is known, the record must follow that chain. Its own chain must show
  /// this or, if that is damaged, the next record must. Otherwise, it must lead to the next record
  /// if that is sound.
  private func fits(
    _ version: RecordFinds.Version, _ number: RecordNumber, before later: [RecordFinds.Version],
    areSound: Bool
  ) -> Bool {
    let next = number.advanced(by: 1)
    let follower = { (chain: Chain) in
      later.contains { $0.chain(at: next, after: chain) == $0.chain }
    }
    guard let chain else { return !areSound || follower(version.chain) }
    let computed = version.chain(at: number, after: chain)
    return computed == version.chain || follower(computed)
  }

  private mutating func write(
    _ header: RecordHeader, _ payload: RawSpan, chain: Chain? = nil
  ) throws(LMDBError) {
    try writer.append(header, payload)
    self.chain = chain ?? Chain(header.chain)
    time = header.recordedAt
  }

  private mutating func lose(_ number: RecordNumber) throws(LMDBError) {
    try writer.append(.lost(at: time), RawSpan())
    report.lose(number)
    chain = nil
  }
}

extension LogTask {
  /// The task left for the new log; an erasure starts over, even if only remnants were left, since
  /// recovered data may have been erased.
  fileprivate var afterSalvage: LogTask? {
    switch self {
    case .erasing(var erasing), .wiping(var erasing?):
      erasing.next = 1
      return .erasing(erasing)
    default: return nil
    }
  }
}

extension RecordHeader {
  /// Returns the header of a record that stands in for a lost one.
  static func lost(at time: Timestamp) -> RecordHeader {
    RecordHeader(kind: .lost, version: 1, recordedAt: time, payloadCount: 0, payloadChecksum: 0)
  }
}
