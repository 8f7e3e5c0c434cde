import EventStore
public import Tideline

/// A question to a server.
public enum Question: Hashable, Sendable {
  /// Asks for a stream's cursor, from which to request changes later.
  case cursor(stream: String)
  /// Asks for the changes in a stream since a cursor.
  case changes(stream: String, since: String, limit: Int)
  /// Asks for objects of a class, in the server's order, from an offset.
  case page(ObjectClass, offset: Int, limit: Int)
  /// Asks for objects of a class that pass all filters, in the server's order, from an offset.
  case list(ObjectClass, by: [ServerFilter], offset: Int, limit: Int)
  /// Asks for all objects of a class, unless they are unchanged since a mark.
  case all(ObjectClass, unlessAt: String? = nil)
  /// Asks for an object.
  case object(ObjectClass, id: String)
  /// Asks for the sent message with the `Message-ID` header `messageID`, made from the server's
  /// draft `id`.
  case sent(messageID: String, id: String)
}

/// A server's answer to a question.
public struct Answer: Sendable {
  /// The reported objects.
  package var facts: [ObjectFact] = []
  /// The items that could not be read.
  package var refused: [ItemRefused] = []
  /// The cursor after the reported content.
  ///
  /// It is recorded each time, so a few hundred characters are a lot. An answer whose cursor
  /// exceeds `Delivery.cursorBytesMax` bytes is rejected as ``ServerFailure/Reason/invalid``. A
  /// stream without a cursor is listed again each time.
  ///
  /// For all objects of a class, it is their mark, if any: while the server returns the same mark,
  /// the objects are unchanged.
  public var cursor: String?
  /// Whether all objects of a class are unchanged since the given mark; then none are reported.
  public var isUnchanged = false
  /// Whether nothing currently follows this answer.
  public var isLast = true
  /// Whether the answer is complete; if not, an object that it lacks may exist nevertheless.
  public var isComplete = true
  /// The minimum interval of manual refreshes that the server requests, instead of the policy's.
  public var refreshAfter: Duration?
  /// The status code of the answer.
  public var status: Int64?

  /// The most bytes kept of an object that could not be read.
  public static let refusedBytesMax = 4096

  /// Creates an empty answer.
  public init() {}

  /// Creates an answer that `fill` fills.
  public init(_ fill: (inout Answer) -> Void) { fill(&self) }

  /// Adds the objects of a delivery; its other content belongs in the other properties.
  ///
  /// An object that no record or row can hold, because its id is empty or it is too large, is
  /// refused.
  public mutating func tell(_ delivery: Delivery) {
    facts += delivery.facts
    delivery.refused.forEach { refuse($0) }
  }

  /// Reports an object that could not be read.
  ///
  /// It is recorded as refused, and the rest is accepted. The answer is then incomplete, since it
  /// may be unknown which object it was.
  ///
  /// - Parameters:
  ///   - objectClass: The class of the object.
  ///   - id: Its id, if that could be determined.
  ///   - reason: What is wrong with it.
  ///   - content: The received content, of which ``refusedBytesMax`` bytes are kept.
  public mutating func refuse(
    _ objectClass: ObjectClass, _ id: String? = nil, because reason: String,
    content: [UInt8]? = nil
  ) {
    refuse(
      ItemRefused {
        ($0.objectClass, $0.id, $0.reason) = (objectClass, id, reason)
        $0.content = content.map { EventBytes(Array($0.prefix(Self.refusedBytesMax))) }
      })
  }

  private mutating func refuse(_ item: ItemRefused) {
    refused.append(item)
    isComplete = false
  }

  /// Why the answer is unacceptable, if it is.
  var failure: ServerFailure? {
    cursor.flatMap(Delivery.problem).map { ServerFailure(.invalid, status: status, message: $0) }
  }

  /// Returns how many places of a class's list the answer fills.
  ///
  /// Other objects, such as the messages of threads, fill none, unless the answer has nothing else.
  func places(of objectClass: ObjectClass) -> Int {
    let own =
      facts.count { $0.objectClass == objectClass }
      + refused.count { $0.objectClass == objectClass || $0.objectClass == nil }
    return own > 0 ? own : facts.count + refused.count
  }
}
