/// What mail servers do differently.
package struct MailManners: Hashable, Sendable {
  /// Whether messages, threads and contacts can be deleted.
  package var deletes = true
  /// Whether messages can be found by the ids that they were sent with.
  package var findsSent = true
  /// Whether a draft that was sent already is sent once more.
  package var sendsAgain = false
  /// How long a request is known by its key; without it, none ever is.
  package var keyInterval: Duration? = .seconds(86_400)
  /// Of a thousand changes of a state, how many are done only after they were answered.
  package var lateShare = 0
  /// Of a thousand changes of a state, after how many the state before is told once more.
  package var staleShare = 0
  /// Of a thousand pages of changes, how many are shorter than was asked for.
  package var shortShare = 0
  /// Of a thousand settlements, how many tell of the object.
  package var tellingShare = 500
  /// Whether it tells by itself what changes.
  package var tellsChanges = false
  /// How many parts a request may have.
  package var partsMax = 1
  /// How many objects are asked for at a time.
  package var pageMax = 20

  /// A server that does everything at once, and knows keys.
  package init() {}
}
