package import EventStore
import Tideline

/// Operations that don't go for now, and are not waited for by their place alone: those that are
/// put off, of which nobody knows whether they were done, or that were to be held.
package enum PutOff {
  /// All of them, by accounts: those first that are held longest.
  static let view = ViewDefinition(
    "operations put off", of: Operations.collection,
    where: Operations.state == .deferred || Operations.state == .uncertain
      || Operations.heldUntil != nil,
    orderedBy: [Operations.heldUntil.descending, Operations.intent.ascending]
  ).grouped(by: Operations.account)

  /// Whether an operation's row is that of one.
  package static func has(_ row: Row) -> Bool {
    let state = row[Operations.state]
    return state == .deferred || state == .uncertain || row[Operations.heldUntil] != nil
  }
}
