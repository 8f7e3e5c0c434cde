import EventStore
import Tideline
import TidelineSync

/// How much of anything is taken from a server, or sent to it.
package enum WireLimits {
  /// The bytes of an answer.
  static let answerBytes = 256 << 20
  /// The bytes of a file that is uploaded: while it is, it is held some times over.
  package static let fileBytes = 64 << 20
  /// The bytes of an object in an answer.
  package static let itemBytes = Log.payloadBytesMax / 2
  /// The bytes of an id, a cursor, or a mark.
  package static let idBytes = Delivery.idBytesMax
  /// How many objects and arrays may lie within each other in an object.
  package static let nesting = JSONValue.nestingLimit
  /// The bytes that are kept of an object that is refused.
  package static let refusedBytes = Answer.refusedBytesMax
  /// How many objects of an answer that are refused are told of one by one.
  package static let refusals = 1_000
}
