/// The differences between mail servers.
package struct MailManners: Hashable, Sendable {
  /// Whether messages, threads, contacts and tags can be deleted.
  package var deletes = true
  /// Whether messages can be found by the ids that they were sent with.
  package var findsSent = true
  /// Whether a draft that was already sent is sent again.
  package var sendsAgain = false
  /// How long a request is recognized by its key; `nil` if never.
  package var keyInterval: Duration? = .seconds(86_400)
  /// The number of state changes per thousand that take effect only after their answer.
  package var lateShare = 0
  /// The number of state changes per thousand after which the old state is reported once more.
  package var staleShare = 0
  /// The number of pages of changes per thousand that are shorter than requested.
  package var shortShare = 0
  /// The maximum number of objects in a page of all objects, however many are requested.
  package var listedMax = Int.max
  /// The number of pages of all objects per thousand that are shorter than that; a few of them have
  /// one object or none.
  package var shortPageShare = 0
  /// The number of settlements per thousand that report the object.
  package var tellingShare = 500
  /// Whether the server reports changes unasked.
  package var tellsChanges = false
  /// The maximum number of parts in a request.
  package var partsMax = 1
  /// The number of objects requested at a time.
  package var pageMax = 20

  /// Creates a server that does everything at once and recognizes keys.
  package init() {}
}
