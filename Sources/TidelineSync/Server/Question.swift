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
  /// The message that was sent with an id of its own, from the draft that the server has under
  /// `id`.
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

  /// Nothing.
  public init() {}

  /// One that `fill` fills.
  public init(_ fill: (inout Answer) -> Void) { fill(&self) }

  /// Tells what a delivery tells of objects; what else it says is left to the other properties.
  public mutating func tell(_ delivery: Delivery) { facts += delivery.facts }
}
