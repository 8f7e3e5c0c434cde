public import EventStore
import LMDB
public import Tideline

/// A minimal log that shows a fault, and the question whose answer is the fault, in a folder that a
/// test can open.
///
///     let fixture = try await Fixture.open(at: path)
///     #expect(try fixture.isSo == false)   // fails until the fault is fixed
///
/// The folder holds `log`, a log, and `question`, a text as `PastQuestion` reads it.
public struct Fixture: Sendable {
  /// The log.
  public let log: Log
  /// The question, as written.
  public let text: String
  /// The views that the app declares; the question may be about them.
  private let views: [DeclaredView]

  private static let question = "question"
  private static let log = "log"
  private static let textBytesMax = 1 << 16

  /// Opens a fixture, with the views that the app declares.
  ///
  /// - Throws: ``InboxReplayError/noFixture(path:)``; `LogError`.
  public static func open(at path: String, views: [DeclaredView] = []) async throws -> Fixture {
    let folder = Folder(path)
    guard let bytes = try folder.bytes(of: question, limit: textBytesMax) else {
      throw InboxReplayError.noFixture(path: path)
    }
    var text = String(decoding: bytes, as: UTF8.self)
    if text.hasSuffix("\n") { text.removeLast() }
    var options = Log.Options()
    options.isReadOnly = true
    let log = try await Log.open(at: folder.folder(Self.log).path, options: options)
    return Fixture(log: log, text: text, views: views)
  }

  /// Whether the fault still shows after the last record.
  ///
  /// - Throws: `StoreError`, `PastQuestion.Mistake`.
  public var isSo: Bool {
    get throws {
      let past = try InboxReplay(log, at: log.last, views: views)
      let question = try PastQuestion(text, of: past.replay, moment: { Timestamp(text: $0) })
      let trials = try Trials(log, reducer: InboxReducer(declaring: views), through: log.last)
      return try trials.isSo(question, after: trials.numbers)
    }
  }

  /// Writes a question and some records of a log, renumbered, into a new folder; if that fails,
  /// nothing is left there.
  ///
  /// The app's declared views are not written.
  ///
  /// A question that names records by number, as in `operations(23/1/t3)`, is written with their
  /// numbers in the fixture if it only holds with these.
  ///
  /// - Throws: `LogError`; `LMDBError`; ``InboxReplayError/occupied(path:)``.
  /// - Complexity: O(bytes)
  @discardableResult
  public static func write(
    _ numbers: [RecordNumber], of log: Log, _ question: PastQuestion, to path: String,
    views: [DeclaredView] = []
  ) async throws -> Fixture {
    try checkRoom(at: path)
    let folder = Folder(path)
    let isNew = !folder.contains(".")
    do {
      try folder.create()
      return try await fill(folder, numbers, of: log, question, views)
    } catch {
      empty(folder, isNew: isNew)
      throw error
    }
  }

  private static func fill(
    _ folder: Folder, _ numbers: [RecordNumber], of log: Log, _ question: PastQuestion,
    _ views: [DeclaredView]
  ) async throws -> Fixture {
    try folder.folder(Self.log).create()
    let other = try await Log.open(at: folder.folder(Self.log).path)
    do {
      let batch = try batch(numbers, of: log, for: other)
      if !batch.isEmpty { try await other.append(batch) }
      let fixture = Fixture(log: other, text: question.text, views: views)
        .asking(with: numbers.map(\.rawValue))
      try folder.replace(Self.question, with: Array("\(fixture.text)\n".utf8))
      return fixture
    } catch {
      await other.close()
      throw error
    }
  }

  /// Removes what was written into a folder that was empty, and the folder if it is new.
  private static func empty(_ folder: Folder, isNew: Bool) {
    guard !isNew else {
      try? folder.removeWithFiles()
      return
    }
    try? folder.folder(log).removeWithFiles()
    try? folder.remove(question)
    try? folder.remove(question + Folder.unfinished)
  }

  /// Returns the fixture, or, if its question does not hold, one that holds with the records' new
  /// numbers.
  private func asking(with numbers: [UInt64]) -> Fixture {
    guard (try? isSo) == false else { return self }
    let renumbered = Fixture(log: log, text: Self.renumbered(text, numbers), views: views)
    return (try? renumbered.isSo) == true ? renumbered : self
  }

  /// Returns a question in which the numbers that begin ids and groups are those of the fixture's
  /// records, where they name such records.
  private static func renumbered(_ text: String, _ numbers: [UInt64]) -> String {
    var (renumbered, rest) = ("", text[...])
    while let start = rest.firstIndex(where: \.isNumber) {
      let (before, digits) = (rest[..<start], rest[start...].prefix(while: \.isNumber))
      let isFirst = before.last == "(" || before.last == ":"
      let place = isFirst ? UInt64(digits).flatMap(numbers.firstIndex) : nil
      renumbered += before + (place.map { "\($0 + 1)" } ?? String(digits))
      rest = rest[digits.endIndex...]
    }
    return renumbered + rest
  }

  /// Checks that a fixture can be written into a folder, which must be empty, or new in a folder
  /// that exists.
  ///
  /// - Throws: ``InboxReplayError/occupied(path:)``; `LMDBError` if it can't be written.
  public static func checkRoom(at path: String) throws {
    let folder = Folder(path)
    let isNew = !folder.contains(".")
    guard try isNew || folder.names().isEmpty else {
      throw InboxReplayError.occupied(path: path)
    }
    // Making the folders shows whether they can be made.
    defer { empty(folder, isNew: isNew) }
    try folder.create()
    try folder.folder(log).create()
  }

  private static func batch(
    _ numbers: [RecordNumber], of log: Log, for other: Log
  ) throws -> Batch {
    let numbering = Numbering(numbers, after: try other.last)
    var batch = Batch()
    for number in numbers {
      guard let record = try log.read({ try $0.record(number) }) else { continue }
      let renumbered = record.renumbered(
        Renumbering(record: { numbering[$0] ?? .zero }, place: { numbering.last(upTo: $0) }))
      batch.add(Event(record, numbering, of: other), payload: renumbered.payload.raw)
    }
    return batch
  }
}

/// The new numbers of the records that are kept.
private struct Numbering {
  /// The kept records, in ascending order.
  private let kept: [RecordNumber]
  /// The number before the first new one.
  private let start: RecordNumber

  init(_ kept: [RecordNumber], after start: RecordNumber) {
    (self.kept, self.start) = (kept, start)
  }

  /// The new number of a record; `nil` if it is not kept.
  subscript(_ old: RecordNumber) -> RecordNumber? {
    let number = last(upTo: old)
    let index = start.distance(to: number) - 1
    return index >= 0 && kept[index] == old ? number : nil
  }

  /// The new number of the last kept record up to one.
  func last(upTo old: RecordNumber) -> RecordNumber {
    start.advanced(by: kept.lowerBound { $0 <= old })
  }
}

extension Event {
  /// Creates the event that a record is in another log, without references to records missing
  /// there.
  fileprivate init(
    _ record: Record, _ numbering: Numbering, of log: Log
  ) {
    let header = record.header
    self.init(
      kind: header.kind, version: header.version, origin: header.origin,
      recordedAt: header.recordedAt, login: header.login,
      cause: header.cause.flatMap { numbering[$0] }.map { .record($0) },
      exchange: header.exchange.flatMap { numbering[$0] }.map { .record($0) },
      entity: record.entityName.map(log.fingerprint))
  }
}

extension InboxReplay {
  /// Returns a minimal set of records after which a question holds; each of them is needed for
  /// that.
  ///
  /// The question must hold where the replay stands. The app's declared views take part. Logins and
  /// records about the named objects are tried first, because they mostly suffice.
  ///
  /// - Parameters:
  ///   - question: What the records are to show.
  ///   - names: The ids, without accounts, of objects that the fault may be about.
  ///   - progress: Receives the number of records left, also now and then during each trial;
  ///     returning `false` cancels.
  /// - Complexity: As folding the records O(*k* log *n*) times, with ever fewer of them.
  /// - Throws: `StoreError`; `cancelled`; ``InboxReplayError/notSo(_:_:)``;
  ///   ``InboxReplayError/onlyByDamage(_:)``, as damaged records can't be kept or left out.
  public func minimized(
    _ question: PastQuestion, about names: [String] = [], progress: (Int) -> Bool = { _ in true }
  ) throws -> Minimization {
    var left = log.floor.distance(to: number)
    func mayGoOn() -> Bool { progress(left) }
    let trials = try Trials(
      log, reducer: InboxReducer(declaring: views), through: number, mayGoOn: mayGoOn)
    let all = trials.numbers
    left = all.count
    func shows(_ numbers: [RecordNumber]) throws -> Bool {
      guard mayGoOn() else { throw StoreError.cancelled }
      guard try trials.isSo(question, after: numbers, mayGoOn: mayGoOn) else { return false }
      left = numbers.count
      return true
    }
    let few = try likely(all, names, mayGoOn)
    let isEnough = try few.count < all.count && shows(few)
    guard try isEnough || shows(all) else {
      let isSo = question.isAgain ? false : try question.isSo(replay)
      throw isSo ? InboxReplayError.onlyByDamage(question.text) : .notSo(question.text, number)
    }
    var minimization = Minimization(isEnough ? few : all)
    try minimization.run(shows)
    return minimization
  }

  /// Returns the records that are logins or mention one of the objects.
  ///
  /// - Throws: `cancelled` if told not to go on.
  private func likely(
    _ numbers: [RecordNumber], _ names: [String], _ mayGoOn: () -> Bool
  ) throws -> [RecordNumber] {
    try numbers.enumerated().filter { index, number in
      if index % 1024 == 0, !mayGoOn() { throw StoreError.cancelled }
      return try isLikely(number, names)
    }.map { $0.element }
  }

  /// Whether a record is a login or mentions one of the objects.
  private func isLikely(_ number: RecordNumber, _ names: [String]) throws -> Bool {
    guard let record = try log.read({ try $0.record(number) }) else { return false }
    if record.header.kind == LoggedIn.kind { return true }
    let text = EventCatalog.line(of: record)
    return names.contains { text.contains($0) }
  }
}
