import EventStore
import Tideline
package import TidelineSync

/// What became of each item of a status upload; see <doc:RichInboxProtocol>.
package struct StatusAnswer: Sendable, Hashable {
  /// What became of the items, in the order of the upload.
  package let outcomes: [PartOutcome]

  /// What an answer of success says of the items of an upload.
  ///
  /// What it says nothing of is not mentioned: each item, where it can't be read.
  package init(_ body: RawSpan, to upload: StatusUpload) {
    let found = (try? Self.outcomesByItem(body)) ?? [:]
    outcomes = upload.items.map {
      found[Key(id: $0.id, state: $0.state.rawValue)] ?? .unmentioned
    }
  }

  /// By what an item is found in an answer.
  private struct Key: Hashable {
    var id: String
    var state: String
  }

  /// The outcomes that an answer says; an item that can't be read says none.
  private static func outcomesByItem(
    _ bytes: RawSpan
  ) throws(JSONFault) -> [Key: PartOutcome] {
    var scanner = try JSONScanner(answer: bytes)
    var outcomes: [Key: PartOutcome] = [:]
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

  /// What a refusal is that is not just one.
  private static let reasons: [String: ServerFailure.Reason] = [
    "invalid": .invalid, "unsupported": .unsupported,
  ]
}
