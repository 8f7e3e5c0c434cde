package import EventStore
import Tideline

/// Operations that are currently not sent for a reason other than their place in order: deferred,
/// uncertain or held.
package enum PutOff {
  /// All of them, grouped by account, the longest held first.
  static let view = ViewDefinition(
    "operations put off", of: Operations.collection,
    where: Operations.state == .deferred || Operations.state == .uncertain
      || Operations.heldUntil != nil,
    orderedBy: [Operations.heldUntil.descending, Operations.intent.ascending]
  ).grouped(by: Operations.account)

  /// Returns whether a row is such an operation.
  package static func has(_ row: Row) -> Bool {
    let state = row[Operations.state]
    return state == .deferred || state == .uncertain || row[Operations.heldUntil] != nil
  }
}
