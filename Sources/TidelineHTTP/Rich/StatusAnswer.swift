import EventStore
import Tideline
package import TidelineSync

/// The outcome of each item of a status upload; see <doc:RichInboxProtocol>.
package struct StatusAnswer: Sendable, Hashable {
  /// The outcomes of the items, in the order of the upload.
  package let outcomes: [PartOutcome]

  /// Reads the outcomes of an upload's items from a success answer.
  ///
  /// Items without an outcome in the answer are `unmentioned`; all are, if the answer is
  /// unreadable.
  package init(_ body: RawSpan, to upload: StatusUpload) {
    let found = (try? Self.outcomesByItem(body, count: upload.items.count)) ?? [:]
    outcomes = upload.items.map {
      found[Key(id: $0.id, state: $0.state.rawValue)] ?? .unmentioned
    }
  }

  /// The key by which an item is found in an answer.
  private struct Key: Hashable {
    var id: String
    var state: String
  }

  /// Returns the outcomes in an answer, of about so many items; an unreadable item has none.
  private static func outcomesByItem(
    _ bytes: RawSpan, count: Int
  ) throws(JSONFault) -> [Key: PartOutcome] {
    var scanner = try JSONScanner(answer: bytes)
    var outcomes = [Key: PartOutcome](minimumCapacity: count)
    try scanner.open(.object)
    while let name = try scanner.nextName() {
      guard names.index(of: name, in: bytes) != nil else {
        _ = try scanner.value()
        continue
      }
      try scanner.open(.array)
      while try scanner.nextItem() {
        guard let (key, outcome) = try item(&scanner) else { continue }
        outcomes[key] = outcome
      }
    }
    try scanner.finish()
    return outcomes
  }

  private static let names = JSONNames(["items"])
  private static let itemNames = JSONNames(["id", "state", "outcome", "reason", "retryAfter"])

  private static func item(
    _ scanner: inout JSONScanner
  ) throws(JSONFault) -> (Key, PartOutcome)? {
    guard try scanner.nextKind() == .object else {
      _ = try scanner.value()
      return nil
    }
    let bytes = scanner.bytes
    var words = [String?](repeating: nil, count: 4)
    var seconds: Int64?
    try scanner.open(.object)
    while let name = try scanner.nextName() {
      let value = try scanner.value()
      guard let index = itemNames.index(of: name, in: bytes) else { continue }
      if index == 4 {
        seconds = bytes.count(of: value)
      } else if value.isPlainValue, value.end - value.start <= WireLimits.idBytes + 2 {
        words[index] = bytes.text(of: value)
      }
    }
    guard let id = words[0], let state = words[1],
      let outcome = outcome(words[2], words[3], seconds)
    else { return nil }
    return (Key(id: id, state: state), outcome)
  }

  private static func outcome(
    _ word: String?, _ reason: String?, _ seconds: Int64?
  ) -> PartOutcome? {
    switch word {
    case "done": return .done()
    case "gone": return .gone
    case "later":
      let wait = seconds.map { min(max($0, 0), RetryAfter.millisecondsMax / 1000) }
      return .failed(ServerFailure(.throttled, retryAfter: wait.map { .seconds($0) }))
    case "refused":
      return .failed(ServerFailure(reason.flatMap { reasons[$0] } ?? .refused, message: reason))
    default: return nil
    }
  }

  /// The refusals with a reason of their own.
  private static let reasons: [String: ServerFailure.Reason] = [
    "invalid": .invalid, "unsupported": .unsupported,
  ]
}
