package import EventStore

/// What a server was asked for.
package enum ExchangeRequest: Int64, EventCode {
  /// What changed since a cursor.
  case deltas = 1
  /// Some of the objects that a query finds, in its order.
  case page = 2
  /// One object.
  case object = 3
  /// A cursor to begin with.
  case cursor = 4
  /// All that there is.
  case all = 5
  /// To do what an intent wants.
  case operation = 6
  /// The content of a file.
  case content = 7
}

/// How much of what was asked for was answered.
package enum Completeness: Int64, EventCode {
  /// Nothing: there was no answer, or it was a refusal.
  case none = 0
  /// All of it: what is not in the answer is not at the server.
  case whole = 1
  /// All of it between the ends of a range.
  case range = 2
  /// Some of it: what is not in the answer may be at the server.
  case partial = 3
}

/// An end of a range in the order of a query.
package struct RangeEnd: EventPart {
  /// The time that the query orders by.
  package var time: Timestamp?
  /// The id of the object at the end.
  package var id: String?

  /// Creates an end without a position.
  package init() {}

  /// Creates an end at an object.
  package init(_ time: Timestamp?, id: String?) {
    self.time = time
    self.id = id
  }

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "time", &time)
    try coder.code(2, "id", &id)
  }
}

/// Objects of one class by their ids.
package struct ObjectNames: EventPart {
  /// What they are.
  package var objectClass = ObjectClass.other
  /// Their ids.
  package var ids: [String] = []

  /// None.
  package init() {}

  /// Names objects of a class.
  package init(_ objectClass: ObjectClass, _ ids: [String]) {
    self.objectClass = objectClass
    self.ids = ids
  }

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "class", &objectClass)
    try coder.code(2, "ids", &ids)
  }
}

/// A server was asked something, and this became of it: one for each request.
///
/// What the answer brought is in records of their own that name this one as their exchange.
package struct Exchange: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0201)

  /// What it was asked for.
  package var request = ExchangeRequest.page
  /// The class of the objects, if it was one.
  package var objectClass: ObjectClass?
  /// The query, as the server was told it.
  package var query: String?
  /// The id of the one object.
  package var id: String?
  /// How many of the query's objects were passed over.
  package var offset: Int64?
  /// How many objects were asked for at most.
  package var limit: Int64?
  /// The cursor since which changes were asked for.
  package var cursor: String?
  /// The last record that the log had when it was asked.
  package var sentAfter: RecordNumber = 0
  /// How much was answered.
  package var completeness = Completeness.none
  /// Where the range begins, if not where the query does.
  package var first: RangeEnd?
  /// Where the range ends, if not where the query does.
  package var last: RangeEnd?
  /// The status of the answer, or `nil` if there was none.
  package var status: Int64?
  /// What the server or the network said that went wrong.
  package var error: String?
  /// How long the server wants to be left alone, in milliseconds.
  package var retryAfter: Int64?
  /// How many objects the answer had.
  package var count: Int64 = 0
  /// Objects that the answer had just as they were known, for which there is no record: those on
  /// which something is open that was acknowledged up to `sentAfter`.
  package var unchanged: [ObjectNames] = []

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "request", &request)
    try coder.code(2, "class", &objectClass)
    try coder.code(3, "query", &query)
    try coder.code(4, "id", &id)
    try coder.code(5, "offset", &offset)
    try coder.code(6, "limit", &limit)
    try coder.code(7, "cursor", &cursor)
    try coder.code(8, "sentAfter", &sentAfter)
    try coder.code(9, "completeness", &completeness)
    try coder.code(10, "first", &first)
    try coder.code(11, "last", &last)
    try coder.code(12, "status", &status)
    try coder.code(13, "error", &error)
    try coder.code(14, "retryAfter", &retryAfter)
    try coder.code(15, "count", &count)
    try coder.code(16, "unchanged", &unchanged)
  }
}

/// An item of an answer could not be taken in; the rest of the answer was.
package struct ItemRefused: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0202)

  /// What it is, as far as that could be told.
  package var objectClass: ObjectClass?
  /// Its id, as far as that could be told.
  package var id: String?
  /// What is wrong with it.
  package var reason = ""
  /// Where in the answer it is wrong, in bytes.
  package var offset: Int64?
  /// The item as it was answered, or its beginning.
  package var content: EventBytes?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "class", &objectClass)
    try coder.code(2, "id", &id)
    try coder.code(3, "reason", &reason)
    try coder.code(4, "offset", &offset)
    try coder.code(5, "content", &content)
  }
}

/// The content of a file is kept beside the log, or is not any more.
package struct ContentStored: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0208)

  /// The file's id.
  package var id = ""
  /// The name of the content; where it is not there, the content was removed.
  package var content: String?
  /// A digest of the content.
  package var digest: EventBytes?
  /// How many bytes it has.
  package var size: Int64?

  package init() {}

  package mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
    _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(1, "id", &id)
    try coder.code(2, "content", &content)
    try coder.code(3, "digest", &digest)
    try coder.code(4, "size", &size)
  }
}
