import EventStore
import Tideline

/// One account by the rules of what events come to: plain values, searched from end to end.
struct NaiveAccount {
  let number: UInt32
  var isLoggedIn = false
  var epoch: UInt32 = 0
  var person = ""
  var policy = PolicySwitches()
  /// Whether opening marks as read, if that was set apart from the policy (5).
  var chosenOpening: Bool?
  var isInboxEnabled = true
  var ownsBadge = false
  var privacy = PrivacyMode.unrestricted
  /// Whether what was forgotten is yet to be erased from the log (7).
  var isToBeErased = false
  /// The values from facts about the account itself.
  var base = NaiveFields()
  var known: Int64 = 0
  var serverID: String?

  var objects: [ObjectName: NaiveObject] = [:]
  /// In the order of their intents.
  var operations: [NaiveOperation] = []
  var tombstones: [ObjectName: NaiveTombstone] = [:]
  /// The targets of other ids (41).
  var aliases: [ObjectName: String] = [:]
  /// The answers so far.
  var answers: [RecordNumber: Exchange] = [:]
  var cursors: [String: String] = [:]
  var refreshedAt: Timestamp?
  var refreshedByHandAt: Timestamp?
  var isRefreshing = false

  init(_ number: UInt32) { self.number = number }

  /// Returns the name of the row that an id stands for: drafts are among messages (16, 41).
  func canonical(_ objectClass: ObjectClass, _ id: String) -> ObjectName {
    var name = written(objectClass, id)
    while let other = aliases[name] { name.id = other }
    return name
  }

  /// Returns the name of an id itself, whatever it stands for.
  func written(_ objectClass: ObjectClass, _ id: String) -> ObjectName {
    ObjectName(objectClass == .draft ? .message : objectClass, id)
  }

  /// Returns the operations on an object, in the order of their intents.
  func operations(on name: ObjectName) -> [NaiveOperation] {
    operations.filter { $0.name == name }
  }

  /// Returns the objects of a class, in the order of their ids.
  func objects(_ objectClass: ObjectClass) -> [NaiveObject] {
    objects.values.filter { $0.objectClass == objectClass }.sorted { $0.id < $1.id }
  }

  /// Returns the tombstone of an id, if it counts: a server's tombstone expires (13).
  func tombstone(of name: ObjectName, _ now: Timestamp) -> NaiveTombstone? {
    guard let tombstone = tombstones[name] else { return nil }
    let interval = policy.tombstoneInterval.milliseconds
    let isOver = interval != 0 && now.rawValue >= tombstone.time.rawValue + interval
    return tombstone.isServers && isOver ? nil : tombstone
  }

  /// Returns whether an existing object is hidden.
  func isHidden(_ object: NaiveObject) -> Bool {
    if !object.isTold || object.isSent { return true }
    if object.objectClass == .rich {
      return !isInboxEnabled || privacy == .restricted || privacy == .forgotten
    }
    return operations(on: object.name).contains { $0.wish == .delete }
  }

  /// Returns whether an object is visible: none is while nobody is logged in (3).
  func isVisible(_ object: NaiveObject) -> Bool { isLoggedIn && !isHidden(object) }

  /// Returns an object of that class, if an intent can be about it (22).
  func target(_ objectClass: ObjectClass, _ id: String) -> NaiveObject? {
    guard let object = objects[canonical(objectClass, id)], object.objectClass == objectClass,
      isVisible(object)
    else { return nil }
    return object
  }
}
