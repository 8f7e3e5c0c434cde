import EventStore
public import Tideline

/// What a server is asked.
public enum Question: Hashable, Sendable {
  /// A place in a stream, to ask later what changed since.
  case cursor(stream: String)
  /// What changed in a stream since a place.
  case changes(stream: String, since: String, limit: Int)
  /// Objects of a class, in the server's order, some of them passed over.
  case page(ObjectClass, offset: Int, limit: Int)
  /// Objects of a class that pass all of some filters, in the server's order, some of them passed
  /// over.
  case list(ObjectClass, by: [ServerFilter], offset: Int, limit: Int)
  /// All objects of a class; or that they are as they were at a place.
  case all(ObjectClass, unlessAt: String? = nil)
  /// An object.
  case object(ObjectClass, id: String)
  /// The message that was sent with an id of its own, as its header `Message-ID` has it, from the
  /// draft that the server has under `id`.
  case sent(messageID: String, id: String)
}

/// What a server answers.
public struct Answer: Sendable {
  /// What it tells of objects.
  package var facts: [ObjectFact] = []
  /// Items that could not be read.
  package var refused: [ItemRefused] = []
  /// The place behind what it tells.
  ///
  /// It is recorded each time, so some hundred characters are much: an answer whose cursor has more
  /// than `Delivery.cursorBytesMax` bytes is not taken, and counts as
  /// ``ServerFailure/Reason/invalid``. A stream that has got none is listed anew each time.
  ///
  /// Of all objects of a class it is their mark, if they have one: as long as the server gives the
  /// same, they are the same.
  public var cursor: String?
  /// Whether all objects of a class are as they were at the place that was named: then it tells of
  /// none.
  public var isUnchanged = false
  /// Whether nothing is behind it at present.
  public var isLast = true
  /// Whether it tells of all that there is to tell: where it does not, an object that it does not
  /// tell of may be there nevertheless.
  public var isComplete = true
  /// How long the server wants not to be asked by hand again, instead of what the policy says.
  public var refreshAfter: Duration?
  /// The status of the answer.
  public var status: Int64?

  /// The bytes that are kept of an object that could not be read.
  public static let refusedBytesMax = 4096

  /// Nothing.
  public init() {}

  /// One that `fill` fills.
  public init(_ fill: (inout Answer) -> Void) { fill(&self) }

  /// Tells what a delivery tells of objects; what else it says is left to the other properties.
  ///
  /// An object that no record or row holds, as its id is empty or it is too large, is refused.
  public mutating func tell(_ delivery: Delivery) {
    facts += delivery.facts
    delivery.refused.forEach { refuse($0) }
  }

  /// Says that there was an object that could not be read.
  ///
  /// It is recorded as refused, and the rest is taken. The answer does not count as complete then,
  /// as nobody may know which object it was.
  ///
  /// - Parameters:
  ///   - objectClass: What it is.
  ///   - id: Its id, as far as that could be told.
  ///   - reason: What is wrong with it.
  ///   - content: What was answered, of which ``refusedBytesMax`` bytes are kept.
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

  /// Why it can't be taken, where that is so.
  var failure: ServerFailure? {
    cursor.flatMap(Delivery.problem).map { ServerFailure(.invalid, status: status, message: $0) }
  }

  /// How many places of a list of a class it has: what else it tells of, such as the messages of
  /// threads, has none there, unless it is all that there is.
  func places(of objectClass: ObjectClass) -> Int {
    let own =
      facts.count { $0.objectClass == objectClass }
      + refused.count { $0.objectClass == objectClass || $0.objectClass == nil }
    return own > 0 ? own : facts.count + refused.count
  }
}
