package import EventStore
import Tideline

/// What became of each item of a status upload; see <doc:RichInboxProtocol>.
package struct StatusAnswer: Sendable, Hashable {
  /// The outcomes, in the order of the upload's items.
  package let outcomes: [OperationOutcome]

  /// What an answer means for an upload.
  ///
  /// An answer that says nothing of an item leaves it uncertain, and so does one that can't be read,
  /// though its status is one of success. Whatever else the status is, it is that of all items.
  ///
  /// - Parameter now: When the answer came, by the device's clock.
  package init(_ answer: HTTPAnswer, to upload: StatusUpload, at now: Timestamp) {
    let whole = OperationOutcome(of: answer, to: .state, at: now)
    guard whole == .acknowledged(isGone: false) else {
      outcomes = upload.items.map { _ in whole }
      return
    }
    let found = (try? Self.outcomes(answer.body.payloadBytes)) ?? [:]
    outcomes = upload.items.map {
      found[Key(id: $0.id, state: $0.state.rawValue)] ?? .uncertain(.notInAnswer)
    }
  }

  /// What it means for all items that there was no answer.
  package init(_ failure: HTTPFailure, to upload: StatusUpload) {
    let whole = OperationOutcome(of: failure, to: .state)
    outcomes = upload.items.map { _ in whole }
  }

  /// By what an item is found in an answer.
  private struct Key: Hashable {
    var id: String
    var state: String
  }

  /// The outcomes that an answer says; an item that can't be read says none.
  private static func outcomes(
    _ bytes: RawSpan
  ) throws(JSONFault) -> [Key: OperationOutcome] {
    var scanner = try JSONScanner(answer: bytes)
    var outcomes: [Key: OperationOutcome] = [:]
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
  ) throws(JSONFault) -> (Key, OperationOutcome)? {
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
  ) -> OperationOutcome? {
    switch word {
    case "done": return .acknowledged(isGone: false)
    case "gone": return .acknowledged(isGone: true)
    case "later":
      let wait = seconds.map { min(max($0, 0), RetryAfter.millisecondsMax / 1000) * 1000 }
      return .deferred(.throttled, retryAfter: wait)
    case "refused": return .rejected(reason.flatMap { reasons[$0] } ?? .refused)
    default: return nil
    }
  }

  private static let reasons: [String: RejectionReason] = [
    "invalid": .invalid, "forbidden": .forbidden, "conflict": .conflict,
    "unsupported": .unsupported, "tooLate": .tooLate,
  ]
}
