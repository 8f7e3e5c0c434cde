package import EventStore

/// The server's state of objects with open operations: rows with the same fields and ids.
enum Bases {
  static let threads = bases(of: Threads.collection, number: 13)
  static let messages = bases(of: Messages.collection, number: 14)
  static let rich = bases(of: RichMessages.collection, number: 15)
  static let tags = bases(of: Tags.collection, number: 16)
  static let files = bases(of: Attachments.collection, number: 18)
  /// The initial values of files, by the operation that uploads them.
  static let uploads = RowCollection(
    "uploads", number: 19, fields: Attachments.collection.fields)
  /// The contents that drafts are saved with, by the operation that saves them.
  static let savings = RowCollection("savings", number: 17, fields: Messages.collection.fields)

  private static func bases(of collection: RowCollection, number: UInt8) -> RowCollection {
    RowCollection("\(collection.name) as told", number: number, fields: collection.fields)
  }
}

/// What kept rows name although it is still to come, with permanent field numbers: one row, and
/// none unless a record was made up.
enum Foretold {
  /// The last intent whose operations may be there before it.
  static let intent = Field<Int>("intent", 1)

  static let collection = RowCollection("foretold", number: 20, intent)

  /// The id of the only row.
  static let id = "operations"
}

/// The times at which objects are due, with permanent field numbers.
enum Timers {
  static let due = Field<Timestamp>("due", 1)
  static let account = Field<Int64>("account", 2)
  /// The row that is due.
  static let subject = Field<RowLink>("subject", 3)

  static let collection = RowCollection("timers", number: 9, due, account, subject)
}

/// The positions up to which a server's streams were read, with permanent field numbers.
package enum Cursors {
  static let account = Field<Int64>("account", 1)
  static let stream = Field<String>("stream", 2)
  package static let cursor = Field<String>("cursor", 3)
  static let isAtEnd = Field<Bool>("isAtEnd", 4)
  /// When the account that logged in most recently did so.
  static let loggedInAt = Field<Timestamp>("loggedInAt", 5)

  package static let collection = RowCollection(
    "cursors", number: 10, account, stream, cursor, isAtEnd, loggedInAt)
}

/// The answers of each account, keyed by exchange number modulo `countMax`.
///
/// Field numbers are permanent.
enum Answers {
  static let exchange = Field<Mark>("exchange", 1)
  static let sentAfter = Field<Mark>("sentAfter", 2)
  static let isOneObject = Field<Bool>("isOneObject", 3)
  static let account = Field<Int64>("account", 4)

  static let collection = RowCollection(
    "answers", number: 11, exchange, sentAfter, isOneObject, account)

  /// The number of answers kept per account.
  ///
  /// A new answer replaces the one with the same remainder. Facts of a replaced answer count as
  /// requested at the very beginning.
  static let countMax: UInt64 = 64
}

/// The deleted objects, with permanent field numbers.
enum Tombstones {
  static let version = Field<Int>("version", 1)
  static let deletedAt = Field<Timestamp>("deletedAt", 2)
  static let record = Field<Mark>("record", 3)
  static let exchange = Field<Mark>("exchange", 4)
  static let isOwn = Field<Bool>("isOwn", 5)
  static let account = Field<Int64>("account", 6)
  /// Whether the deleted object is a draft; a message with the same id is not deleted.
  static let isOfDraft = Field<Bool>("isOfDraft", 7)
  /// Another id of the deleted object.
  static let otherID = Field<String>("otherID", 8)

  static let collection = RowCollection(
    "tombstones", number: 12, version, deletedAt, record, exchange, isOwn, account, isOfDraft,
    otherID)
}
