public import EventStore
import LMDB
public import Tideline

/// As few records as show a fault, as a log of their own, and the question whose answer is the
/// fault: a folder that a test can open.
///
///     let fixture = try await Fixture.open(at: path)
///     #expect(try fixture.isSo == false)   // fails until the fault is mended
///
/// The folder holds `log`, a log, and `question`, a text as `PastQuestion` reads it.
public struct Fixture: Sendable {
  /// The log.
  public let log: Log
  /// The question, as it was written.
  public let text: String
  /// The views that the app declares, which the question may be about.
  private let views: [DeclaredView]

  private static let question = "question"
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
    let log = try await Log.open(at: folder.folder("log").path, options: options)
    return Fixture(log: log, text: text, views: views)
  }

  /// Whether the fault still shows behind the last record.
  ///
  /// - Throws: `StoreError`, `PastQuestion.Mistake`.
  public var isSo: Bool {
    get throws {
      let past = try InboxReplay(log, at: log.last, views: views)
      let question = try PastQuestion(text, of: past.replay)
      let trials = try Trials(log, reducer: InboxReducer(declaring: views), through: log.last)
      return try trials.isSo(question, behind: trials.numbers)
    }
  }

  /// Writes some records of a log, numbered anew, and a question, into a folder that is made; with
  /// the views that the app declares, which are not written.
  ///
  /// Where the question names records by their numbers, as in `operations(23/1/t3)`, it is written
  /// with those that they have in the fixture, if it is so then.
  ///
  /// - Throws: `LogError`; ``InboxReplayError/occupied(path:)``.
  /// - Complexity: O(bytes)
  @discardableResult
  public static func write(
    _ numbers: [RecordNumber], of log: Log, _ question: PastQuestion, to path: String,
    views: [DeclaredView] = []
  ) async throws -> Fixture {
    try checkRoom(at: path)
    let folder = Folder(path)
    try folder.create()
    try folder.folder("log").create()
    let other = try await Log.open(at: folder.folder("log").path)
    let batch = try batch(numbers, of: log, for: other)
    if !batch.isEmpty { try await other.append(batch) }
    let fixture = Fixture(log: other, text: question.text, views: views)
      .asking(with: numbers.map(\.rawValue))
    try folder.replace(Self.question, with: Array("\(fixture.text)\n".utf8))
    return fixture
  }

  /// The fixture with the question that is so of it: where that is not what was written, the same
  /// with the new numbers of the records that it names.
  private func asking(with numbers: [UInt64]) -> Fixture {
    guard (try? isSo) == false else { return self }
    let renumbered = Fixture(log: log, text: Self.renumbered(text, numbers), views: views)
    return (try? renumbered.isSo) == true ? renumbered : self
  }

  /// A question in which the numbers that ids and groups begin with are those of a fixture, where
  /// they are those of its records.
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

  /// Looks whether a fixture could be written into a folder, which is new or empty then.
  ///
  /// - Throws: ``InboxReplayError/occupied(path:)``; `LMDBError` where that can't be told.
  public static func checkRoom(at path: String) throws {
    let folder = Folder(path)
    guard try folder.contains(".") == false || folder.names().isEmpty else {
      throw InboxReplayError.occupied(path: path)
    }
  }

  private static func batch(
    _ numbers: [RecordNumber], of log: Log, for other: Log
  ) throws -> Batch {
    let first = try other.last.advanced(by: 1)
    let places = Dictionary(
      uniqueKeysWithValues: numbers.enumerated().map { ($1, first.advanced(by: $0)) })
    var batch = Batch()
    for number in numbers {
      guard let record = try log.read({ try $0.record(number) }) else { continue }
      let renumbered = record.renumbered { places[$0] ?? $0 }
      batch.add(Event(record, places, of: other), payload: renumbered.payload.raw)
    }
    return batch
  }
}

extension Event {
  /// The event that a record would be in another log; what it names that isn't there is left out.
  fileprivate init(
    _ record: Record, _ places: [RecordNumber: RecordNumber], of log: Log
  ) {
    let header = record.header
    self.init(
      kind: header.kind, version: header.version, origin: header.origin,
      recordedAt: header.recordedAt, login: header.login,
      cause: header.cause.flatMap { places[$0] }.map { .record($0) },
      exchange: header.exchange.flatMap { places[$0] }.map { .record($0) },
      entity: record.entityName.map(log.fingerprint))
  }
}

extension InboxReplay {
  /// As few records as make a question be so that is so where the replay stands, each of which is
  /// needed for that.
  ///
  /// It asks with the views that the app declares. Logins and what is about the named objects are
  /// tried first, as that is mostly enough.
  ///
  /// - Parameters:
  ///   - question: What the records are to show.
  ///   - names: The ids, without their accounts, of objects that the fault may be about.
  ///   - progress: Is told how many records are left; it is given up where this returns `false`.
  /// - Complexity: As folding the records O(*k* log *n*) times, of ever fewer.
  /// - Throws: `StoreError`; `cancelled`; ``InboxReplayError/notSo(_:_:)``.
  public func minimized(
    _ question: PastQuestion, about names: [String] = [], progress: (Int) -> Bool = { _ in true }
  ) throws -> Minimization {
    let trials = try Trials(log, reducer: InboxReducer(declaring: views), through: number)
    let all = trials.numbers
    var left = all.count
    func shows(_ numbers: [RecordNumber]) throws -> Bool {
      guard progress(left) else { throw StoreError.cancelled }
      guard try trials.isSo(question, behind: numbers) else { return false }
      left = numbers.count
      return true
    }
    let few = try all.filter { try isLikely($0, names) }
    let isEnough = try few.count < all.count && shows(few)
    guard try isEnough || shows(all) else { throw InboxReplayError.notSo(question.text, number) }
    var minimization = Minimization(isEnough ? few : all)
    try minimization.run(shows)
    return minimization
  }

  /// Whether a record may have to do with the objects.
  private func isLikely(_ number: RecordNumber, _ names: [String]) throws -> Bool {
    guard let record = try log.read({ try $0.record(number) }) else { return false }
    if record.header.kind == LoggedIn.kind { return true }
    let text = EventCatalog.line(of: record)
    return names.contains { text.contains($0) }
  }
}
