import EventStore
public import Tideline

/// A server as synchronization sees it: a source of facts, and a sink of operations.
///
/// What speaks to a real server, or plays one, is one of these. It keeps nothing: what is to be
/// asked next, what is to be sent again and when is decided elsewhere, by what it answers.
public protocol Server: Sendable {
  /// What it can do; always the same.
  var abilities: ServerAbilities { get }

  /// What it answers to a question.
  ///
  /// - Throws: `ServerFailure`; where the task is cancelled, with any reason.
  func answer(_ question: Question, token: Token?) async throws(ServerFailure) -> Answer

  /// What becomes of the parts of a request.
  ///
  /// - Throws: `ServerFailure`, which holds for each of its parts. Its reason is
  ///   ``ServerFailure/Reason/notSent`` only where it is certain that nothing was done.
  func perform(_ request: ServerRequest, token: Token?) async throws(ServerFailure) -> Settlement

  /// What changes in a stream from a cursor on, as it changes: each answer with the cursor behind
  /// it. It ends where the server ends it, behind a failure, and where the task is cancelled.
  ///
  /// Only streams are followed that say that they can be.
  func follow(
    _ stream: String, since cursor: String, token: Token?
  ) -> AsyncStream<Result<Answer, ServerFailure>>
}

extension Server {
  /// Nothing ever changes by itself.
  public func follow(
    _ stream: String, since cursor: String, token: Token?
  ) -> AsyncStream<Result<Answer, ServerFailure>> { AsyncStream { $0.finish() } }
}

/// What shows a server who asks.
public struct Token: Hashable, Sendable {
  /// The server's word for it.
  public let value: String

  /// That token.
  public init(_ value: String) { self.value = value }
}

/// What a server can do, and how much at a time.
public struct ServerAbilities: Hashable, Sendable {
  /// What it can be asked for.
  public var streams: [ServerStream] = []
  /// How many requests it is sent at the same time.
  public var requestsMax = 4
  /// How many objects one request may be about, where all parts want the same.
  public var partsMax = 1
  /// Whether it can be asked for a message by the id that it was sent with.
  public var findsSent = false

  /// Nothing.
  public init() {}
}

/// A part of what a server has that is kept up by itself.
public struct ServerStream: Hashable, Sendable {
  /// How it is kept up.
  public enum Manner: Hashable, Sendable {
    /// By what changed since a cursor; and where there is none yet, by all objects and then by what
    /// changed since a cursor that was taken before them.
    case changes
    /// By the whole list of its objects, each time.
    case list
  }

  /// By which name its cursor is kept.
  public var name: String
  /// The classes of its objects: those first that others refer to, and last those that sum up
  /// others, such as threads behind their messages.
  public var classes: [ObjectClass]
  /// How it is kept up.
  public var manner: Manner
  /// How many objects it is asked for at a time.
  public var pageMax: Int
  /// Whether the server can tell by itself what changes in it.
  public var isFollowed = false

  /// A stream.
  public init(_ name: String, _ classes: [ObjectClass], by manner: Manner, pageMax: Int = 500) {
    self.name = name
    self.classes = classes
    self.manner = manner
    self.pageMax = pageMax
  }
}

/// What a server is asked.
public enum Question: Hashable, Sendable {
  /// A place in a stream, to ask later what changed since.
  case cursor(stream: String)
  /// What changed in a stream since a place.
  case changes(stream: String, since: String, limit: Int)
  /// Objects of a class, in the server's order, some of them passed over.
  case page(ObjectClass, offset: Int, limit: Int)
  /// All objects of a class.
  case all(ObjectClass)
  /// An object.
  case object(ObjectClass, id: String)
  /// The message that was sent with an id of its own.
  case sent(messageID: String)
}

/// What a server answers.
public struct Answer: Sendable {
  /// What it tells of objects.
  package var facts: [ObjectFact] = []
  /// Items that could not be read.
  package var refused: [ItemRefused] = []
  /// The place behind what it tells.
  public var cursor: String?
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

/// Why there is no answer.
public struct ServerFailure: Error, Hashable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// Nothing was sent: there is no network, or nobody took it.
    case notSent
    /// It was sent, and no answer came back, or none from which it could be told what was done.
    case lostAnswer
    /// The server wants to be left alone.
    case throttled
    /// The server failed, and did nothing.
    case server
    /// The token is not taken.
    case unauthorized
    /// The account may not do that at present.
    case forbidden
    /// There is no such object.
    case notFound
    /// The object has another version than was thought.
    case conflict
    /// The server does not know the cursor.
    case cursorUnknown
    /// The server can't make sense of it.
    case invalid
    /// The server can't do it.
    case unsupported
    /// It is too large.
    case tooLarge
    /// The server will never do it.
    case refused
  }

  /// What is wrong.
  public var reason: Reason
  /// The status of the answer, if there was one.
  public var status: Int64?
  /// How long the server wants to be left alone.
  public var retryAfter: Duration?
  /// What the server or the network said.
  public var message: String?

  /// A failure.
  public init(
    _ reason: Reason, status: Int64? = nil, retryAfter: Duration? = nil, message: String? = nil
  ) {
    self.reason = reason
    self.status = status
    self.retryAfter = retryAfter
    self.message = message
  }
}
