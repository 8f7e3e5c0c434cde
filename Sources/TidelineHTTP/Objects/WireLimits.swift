import EventStore
import Tideline
import TidelineSync

/// The limits on what is accepted from a server or sent to it.
package enum WireLimits {
  /// The maximum size of an answer, in bytes.
  static let answerBytes = 256 << 20
  /// The maximum size of an uploaded file, in bytes; an upload holds several copies in memory.
  package static let fileBytes = 64 << 20
  /// The maximum size of an object in an answer, in bytes.
  package static let itemBytes = Log.payloadBytesMax / 2
  /// The maximum size of an id, a cursor or a mark, in bytes.
  package static let idBytes = Delivery.idBytesMax
  /// The maximum nesting depth of objects and arrays in an object.
  package static let nesting = JSONValue.nestingLimit
  /// The number of bytes kept of a refused object.
  package static let refusedBytes = Answer.refusedBytesMax
  /// The maximum number of an answer's refused objects that are reported one by one.
  package static let refusals = 1_000
}
