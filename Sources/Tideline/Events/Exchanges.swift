package import EventStore

/// What was requested from a server.
package enum ExchangeRequest: Int64, EventCode {
  /// The changes since a cursor.
  case deltas = 1
  /// Some of the objects that a query finds, in its order.
  case page = 2
  /// One object.
  case object = 3
  /// A cursor to start from.
  case cursor = 4
  /// All objects.
  case all = 5
  /// An operation that an intent requires.
  case operation = 6
  /// The content of a file.
  case content = 7
}

/// How much of what was requested a response contains.
package enum Completeness: Int64, EventCode {
  /// Nothing: the request got no response, or was refused.
  case none = 0
  /// All of it: the server doesn't have objects that the response lacks.
  case whole = 1
  /// All of it between the ends of a range.
  case range = 2
  /// Some of it: the server may have objects that the response lacks.
  case partial = 3
}

/// An end of a range in the order of a query.
package struct RangeEnd: EventPart {
  /// The time of the object at the end, by which the query sorts.
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

/// Objects of one class, by their ids.
package struct ObjectNames: EventPart {
  /// The class of the objects.
  package var objectClass = ObjectClass.other
  /// The ids of the objects.
  package var ids: [String] = []

  /// Names no objects.
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

/// One request to a server, and its outcome.
///
/// What the response brought is in separate records, which name this one as their exchange.
package struct Exchange: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0201)

  /// What was requested.
  package var request = ExchangeRequest.page
  /// The class of the objects, if they have the same class.
  package var objectClass: ObjectClass?
  /// The query, as sent to the server.
  package var query: String?
  /// The id of the object, if only one was requested.
  package var id: String?
  /// How many of the query's objects were skipped.
  package var offset: Int64?
  /// The maximum number of objects requested.
  package var limit: Int64?
  /// The cursor since which changes were requested.
  package var cursor: String?
  /// The last record of the log when the request was made.
  package var sentAfter: RecordNumber = 0
  /// How complete the response is.
  package var completeness = Completeness.none
  /// Where the range begins, if not where the query does.
  package var first: RangeEnd?
  /// Where the range ends, if not where the query does.
  package var last: RangeEnd?
  /// The status of the response, or `nil` if there was none.
  package var status: Int64?
  /// What went wrong, according to the server or the network.
  package var error: String?
  /// How long the server asks not to be contacted, in milliseconds.
  package var retryAfter: Int64?
  /// The number of objects in the response.
  package var count: Int64 = 0
  /// Objects that the response contains unchanged, and that therefore have no records: those with
  /// an open operation that was acknowledged up to `sentAfter`.
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
    try coder.code(8, "sentAfter", last: &sentAfter)
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

/// An item of a response could not be accepted; the rest of the response was.
package struct ItemRefused: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0202)

  /// The item's class, if it could be determined.
  package var objectClass: ObjectClass?
  /// The item's id, if it could be determined.
  package var id: String?
  /// What is wrong with the item.
  package var reason = ""
  /// The position of the error in the response, in bytes.
  package var offset: Int64?
  /// The item as received, or its beginning.
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

/// The content of a file is now kept beside the log, or was removed.
package struct ContentStored: FieldedEvent {
  package static let kind = EventKind(rawValue: 0x0208)

  /// The file's id.
  package var id = ""
  /// The name of the content; if absent, the content was removed.
  package var content: String?
  /// A digest of the content.
  package var digest: EventBytes?
  /// The size of the content in bytes.
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
