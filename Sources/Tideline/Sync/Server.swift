import EventStore

/// A server as synchronization sees it: a source of facts, and a sink of operations.
///
/// What speaks to a real server, or plays one, is one of these. It keeps nothing: what is to be
/// asked next, what is to be sent again and when is decided elsewhere, by what it answers.
package protocol Server: Sendable {
  /// What it can do.
  var abilities: ServerAbilities { get }

  /// What it answers to a question.
  func answer(_ question: Question, token: Token?) async throws(ServerFailure) -> Answer

  /// What becomes of the parts of a request.
  func perform(_ request: ServerRequest, token: Token?) async throws(ServerFailure) -> Settlement

  /// What changes in a stream from a cursor on, as it happens, where the stream can be followed.
  ///
  /// It ends when the server or the network ends it, with a failure as its last element where
  /// something is wrong. Whoever wants more follows anew, from the last cursor that was answered.
  func follow(
    _ stream: String, since cursor: String, token: Token?
  ) -> AsyncStream<Result<Answer, ServerFailure>>
}

extension Server {
  /// Nothing: it ends at once.
  package func follow(
    _ stream: String, since cursor: String, token: Token?
  ) -> AsyncStream<Result<Answer, ServerFailure>> {
    AsyncStream { $0.finish() }
  }
}

/// What shows a server who asks.
package struct Token: Hashable, Sendable {
  /// The server's word for it.
  package let value: String

  /// That token.
  package init(_ value: String) { self.value = value }
}

/// What a server can do, and how much at a time.
package struct ServerAbilities: Hashable, Sendable {
  /// What it can be asked for.
  package var streams: [ServerStream] = []
  /// How many requests it is sent at the same time.
  package var requestsMax = 4
  /// How many objects one request may be about, where all parts want the same.
  package var partsMax = 1
  /// Whether it can be asked for a message by the id that it was sent with.
  package var findsSent = false

  /// Nothing.
  package init() {}
}

/// A part of what a server has that is kept up by itself.
package struct ServerStream: Hashable, Sendable {
  /// How it is kept up.
  package enum Manner: Hashable, Sendable {
    /// By what changed since a cursor; and where there is none yet, by all objects and then by what
    /// changed since a cursor that was taken before them.
    case changes
    /// By the whole list of its objects, each time.
    case list
  }

  /// By which name its cursor is kept.
  package var name: String
  /// The classes of its objects: those first that others refer to, and last those that sum up
  /// others, such as threads behind their messages.
  package var classes: [ObjectClass]
  /// How it is kept up.
  package var manner: Manner
  /// How many objects it is asked for at a time.
  package var pageMax: Int
  /// Whether what changes can be followed as it happens.
  package var follows = false

  /// A stream.
  package init(_ name: String, _ classes: [ObjectClass], by manner: Manner, pageMax: Int = 500) {
    self.name = name
    self.classes = classes
    self.manner = manner
    self.pageMax = pageMax
  }
}

/// What a server is asked.
package enum Question: Hashable, Sendable {
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
package struct Answer: Sendable {
  /// What it tells of objects.
  package var facts: [ObjectFact] = []
  /// Items that could not be read.
  package var refused: [ItemRefused] = []
  /// The place behind what it tells.
  package var cursor: String?
  /// Whether nothing is behind it at present.
  package var isLast = true
  /// Whether it tells of all that there is to tell: where it does not, an object that it does not
  /// tell of may be there nevertheless.
  package var isComplete = true
  /// How long the server wants not to be asked by hand again.
  package var refreshAfter: Duration?
  /// The status of the answer.
  package var status: Int64?

  /// Nothing.
  package init() {}

  /// One that `fill` fills.
  package init(_ fill: (inout Answer) -> Void) { fill(&self) }
}

/// Why there is no answer.
package struct ServerFailure: Error, Hashable {
  /// What is wrong.
  package enum Reason: Hashable, Sendable {
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
  package var reason: Reason
  /// The status of the answer, if there was one.
  package var status: Int64?
  /// How long the server wants to be left alone.
  package var retryAfter: Duration?
  /// What the server or the network said.
  package var message: String?

  /// A failure.
  package init(
    _ reason: Reason, status: Int64? = nil, retryAfter: Duration? = nil, message: String? = nil
  ) {
    self.reason = reason
    self.status = status
    self.retryAfter = retryAfter
    self.message = message
  }
}
