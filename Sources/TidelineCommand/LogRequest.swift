import EventStore
import LMDB
import Tideline

/// The records that the command line of `tideline log` requests, and how to show them.
struct LogRequest {
  let first: RecordNumber?
  let record: RecordNumber?
  private let intent: RecordNumber?
  let isJSON: Bool
  let follows: Bool
  let counts: Bool
  private let kinds: String?
  private let entity: String?
  private let origin: String?
  private let text: String?
  private let account: UInt32?
  private let after: String?
  private let before: String?

  init(_ arguments: Arguments) {
    first = arguments.number("--from").map(RecordNumber.init(rawValue:))
    record = arguments.number("--record").map(RecordNumber.init(rawValue:))
    intent = arguments.number("--intent").map(RecordNumber.init(rawValue:))
    isJSON = arguments.has("--json")
    follows = arguments.has("--follow")
    counts = arguments.has("--count")
    kinds = arguments.text("--kind")
    entity = arguments.text("--entity")
    origin = arguments.text("--origin")
    text = arguments.text("--text")
    account = arguments.number("--account").map { UInt32(truncatingIfNeeded: $0) }
    (after, before) = (arguments.text("--after"), arguments.text("--before"))
  }

  /// Checks all that needs no log.
  func check() throws(Mistake) {
    _ = (try chosenKinds(), try chosenOrigin())
    for (option, word) in [("--after", after), ("--before", before)] {
      guard let word, try time(option, word) == nil else { continue }
      guard LogPlace.isTimeOfDay(word) else { throw noTime(option, word) }
    }
    if follows, counts {
      throw Mistake("tideline log: --count and --follow can't be combined. Leave one out.")
    }
    if record != nil, let other = choice {
      throw Mistake("tideline log: --record and \(other) can't be combined. Leave one out.")
    }
  }

  /// An option that chooses among several records, if there is one.
  private var choice: String? {
    let options: [(String, Bool)] = [
      ("--count", counts), ("--follow", follows), ("--from", first != nil),
      ("--kind", kinds != nil), ("--entity", entity != nil), ("--origin", origin != nil),
      ("--text", text != nil), ("--account", account != nil), ("--intent", intent != nil),
      ("--after", after != nil), ("--before", before != nil),
    ]
    return options.first { $0.1 }?.0
  }

  /// Returns the filter for the request.
  func filter(of log: Log) throws -> RecordFilter {
    var filter = RecordFilter()
    filter.kinds = try chosenKinds()
    filter.origin = try chosenOrigin()
    filter.entity = entity.map { Self.entity($0, of: log) }
    filter.account = account
    filter.text = text
    filter.start = try time("--after", after, of: log)
    filter.end = try time("--before", before, of: log)
    return filter
  }

  private func chosenKinds() throws(Mistake) -> Set<EventKind>? {
    guard let kinds else { return nil }
    var chosen: Set<EventKind> = []
    for word in kinds.split(separator: ",").map(String.init) {
      guard let kind = Self.kind(word) else {
        throw Mistake("tideline log: unknown kind '\(word)'. Name one as `tideline stats` does.")
      }
      chosen.insert(kind)
    }
    return chosen
  }

  private static func kind(_ word: String) -> EventKind? {
    if let number = UInt16(word) { return EventKind(rawValue: number) }
    if word.hasPrefix("0x"), let number = UInt16(word.dropFirst(2), radix: 16) {
      return EventKind(rawValue: number)
    }
    guard word.lowercased() != "lost" else { return .lost }
    let all = EventCatalog.types.map { $0.kind } + ObjectClass.allCases.map { $0.kind }
    return all.first { EventCatalog.name(of: $0)?.lowercased() == word.lowercased() }
  }

  private func chosenOrigin() throws(Mistake) -> Event.Origin? {
    switch origin {
    case nil: nil
    case "fact", "facts": .fact
    case "intent", "intents": .intent
    case let word?: throw Mistake("tideline log: unknown origin '\(word)'. Name fact or intent.")
    }
  }

  /// Returns the fingerprint for 16 digits, or for a name, whose class may be a word.
  private static func entity(_ name: String, of log: Log) -> Fingerprint {
    if name.utf8.count == 16, let word = UInt64(name, radix: 16) {
      return Fingerprint(rawValue: word)
    }
    guard let slash = name.firstIndex(of: "/"), let known = objectClass(name[..<slash]) else {
      return log.fingerprint(of: name)
    }
    let written = known == .draft ? ObjectClass.message : known
    return log.fingerprint(of: "\(written.rawValue)\(name[slash...])")
  }

  /// Returns the class that a word names, or that of the objects in a collection of that name.
  private static func objectClass(_ word: Substring) -> ObjectClass? {
    ObjectClass.allCases.first { "\($0)" == word }
      ?? ObjectWord.kinds.first { $0.collection.name == word }?.objectClass
  }

  /// Whether a record belongs to the requested intent, or none is requested.
  func asks(for record: Record) -> Bool {
    guard let intent, record.number != intent, record.header.cause != intent else { return true }
    guard let fields = try? PayloadFields(decoding: record.payload.raw) else { return false }
    return fields.contains { field in
      EventCatalog.name(of: [field.number], in: record.header.kind) == "intent"
        && field.value == .integer(Int64(bitPattern: intent.rawValue))
    }
  }

  /// Returns the time of an option; a time of day alone means its last occurrence in the log.
  private func time(_ option: String, _ word: String?, of log: Log) throws -> Timestamp? {
    guard let word else { return nil }
    guard let time = try time(option, word) ?? log.moment(ofTheDay: word) else {
      throw noTime(option, word)
    }
    return time
  }

  /// Returns the time of a word that needs no log; `nil` if there is none.
  private func time(_ option: String, _ word: String) throws(Mistake) -> Timestamp? {
    switch LogPlace(word, moment: { Timestamp(text: $0) }) {
    case .moment(let time): return time
    case .ago(let age): return Timestamp(rawValue: Timestamp.now.rawValue - age)
    case .number, .beforeEnd: throw noTime(option, word)
    case nil: return nil
    }
  }

  private func noTime(_ option: String, _ word: String) -> Mistake {
    Mistake(
      "tideline log: \(option) takes a time: 2026-11-22T09:00:00Z, 10:15 or -2h, not '\(word)'.")
  }
}
