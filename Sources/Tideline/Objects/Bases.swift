package import EventStore

/// What the server says of objects on which operations are open: rows like theirs, with their ids.
enum Bases {
  static let threads = bases(of: Threads.collection, number: 13)
  static let messages = bases(of: Messages.collection, number: 14)
  static let rich = bases(of: RichMessages.collection, number: 15)
  static let tags = bases(of: Tags.collection, number: 16)
  static let files = bases(of: Attachments.collection, number: 18)
  /// What files were added with, by the operations that upload them.
  static let uploads = RowCollection(
    "uploads", number: 19, fields: Attachments.collection.fields)
  /// What drafts are saved as, by the operations that save them.
  static let savings = RowCollection("savings", number: 17, fields: Messages.collection.fields)

  private static func bases(of collection: RowCollection, number: UInt8) -> RowCollection {
    RowCollection("\(collection.name) as told", number: number, fields: collection.fields)
  }
}

/// When something is due, numbered for ever.
enum Timers {
  static let due = Field<Timestamp>("due", 1)
  static let account = Field<Int64>("account", 2)
  /// What it is about.
  static let subject = Field<RowLink>("subject", 3)

  static let collection = RowCollection("timers", number: 9, due, account, subject)
}

/// Where a server's streams were read up to, numbered for ever.
package enum Cursors {
  static let account = Field<Int64>("account", 1)
  static let stream = Field<String>("stream", 2)
  package static let cursor = Field<String>("cursor", 3)
  static let isAtEnd = Field<Bool>("isAtEnd", 4)
  /// When the account logged in that logged in last.
  static let loggedInAt = Field<Timestamp>("loggedInAt", 5)

  package static let collection = RowCollection(
    "cursors", number: 10, account, stream, cursor, isAtEnd, loggedInAt)
}

/// The answers of each account by the ends of their numbers, numbered for ever.
enum Answers {
  static let exchange = Field<Mark>("exchange", 1)
  static let sentAfter = Field<Mark>("sentAfter", 2)
  static let isOneObject = Field<Bool>("isOneObject", 3)
  static let account = Field<Int64>("account", 4)

  static let collection = RowCollection(
    "answers", number: 11, exchange, sentAfter, isOneObject, account)

  /// How many of an account are kept: one takes the place of that whose number ends alike, and
  /// facts of what has lost its place count as asked for at the beginning.
  static let countMax: UInt64 = 64
}

/// What was deleted, numbered for ever.
enum Tombstones {
  static let version = Field<Int>("version", 1)
  static let deletedAt = Field<Timestamp>("deletedAt", 2)
  static let record = Field<Mark>("record", 3)
  static let exchange = Field<Mark>("exchange", 4)
  static let isOwn = Field<Bool>("isOwn", 5)
  static let account = Field<Int64>("account", 6)
  /// Whether it is a draft that was deleted: a message under its id was not.
  static let isOfDraft = Field<Bool>("isOfDraft", 7)
  /// Another id that what was deleted was known by.
  static let otherID = Field<String>("otherID", 8)

  static let collection = RowCollection(
    "tombstones", number: 12, version, deletedAt, record, exchange, isOwn, account, isOfDraft,
    otherID)
}
