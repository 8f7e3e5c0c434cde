import EventStore
import Foundation
import Tideline

extension OpenOperation {
  /// The operation for people.
  var line: String {
    var parts = [
      "#\(intent)".leftPadded(to: 8), kind.rawValue.rightPadded(to: 10),
      object.rightPadded(to: 24), state.rawValue,
    ]
    let why = [reason?.rawValue, answer].compactMap(\.self)
    if !why.isEmpty { parts.append("(\(why.joined(separator: ": ")))") }
    if attempts > 0 { parts.append(attempts == 1 ? "tried once" : "tried \(attempts) times") }
    if let notBefore { parts.append("until \(notBefore.ISO8601Format())") }
    return parts.joined(separator: "  ").printable(columns: 160)
  }

  /// The operation as a JSON object.
  var json: String {
    JSONWriter.object { json in
      json.member("intent", intent.rawValue)
      json.member("kind", kind.rawValue)
      json.member("object", object)
      json.member("id", id)
      json.member("state", state.rawValue)
      json.member("reason", reason?.rawValue)
      json.member("status", status)
      json.member("answer", answer)
      json.member("attempts", attempts)
      json.member("until", notBefore?.ISO8601Format())
    }
  }

  /// The object's full name, by which other commands find it, as in `threads/1/t1`.
  private var object: String {
    let collection = ObjectKind.of(objectClass)?.collection.name ?? "\(objectClass)"
    return "\(collection)/\(account)/\(id)"
  }
}
