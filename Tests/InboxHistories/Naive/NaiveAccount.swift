import EventStore
import Tideline

/// One account, as the rules of what events come to see it: plain values, searched from end to end.
struct NaiveAccount {
  let number: UInt32
  var isLoggedIn = false
  var epoch: UInt32 = 0
  var person = ""
  var policy = PolicySwitches()
  var isInboxEnabled = true
  var ownsBadge = false
  var privacy = PrivacyMode.unrestricted
  /// What facts said of the account itself.
  var base = NaiveFields()
  var known: Int64 = 0
  var serverID: String?

  var objects: [ObjectName: NaiveObject] = [:]
  /// In the order of their intents.
  var operations: [NaiveOperation] = []
  var tombstones: [ObjectName: NaiveTombstone] = [:]
  /// What other ids stand for (41).
  var aliases: [ObjectName: String] = [:]
  /// The answers so far.
  var answers: [RecordNumber: Exchange] = [:]
  var cursors: [String: String] = [:]
  var refreshedAt: Timestamp?
  var refreshedByHandAt: Timestamp?
  var isRefreshing = false

  init(_ number: UInt32) { self.number = number }

  /// The name of the row that an id stands for: drafts are among messages (16, 41).
  func canonical(_ objectClass: ObjectClass, _ id: String) -> ObjectName {
    var name = written(objectClass, id)
    while let other = aliases[name] { name.id = other }
    return name
  }

  /// The name that an id has itself, whatever it stands for.
  func written(_ objectClass: ObjectClass, _ id: String) -> ObjectName {
    ObjectName(objectClass == .draft ? .message : objectClass, id)
  }

  /// The operations on an object, in the order of their intents.
  func operations(on name: ObjectName) -> [NaiveOperation] {
    operations.filter { $0.name == name }
  }

  /// The objects of a class, in the order of their ids.
  func objects(_ objectClass: ObjectClass) -> [NaiveObject] {
    objects.values.filter { $0.objectClass == objectClass }.sorted { $0.id < $1.id }
  }

  /// The tombstone of an id, if it counts: the server's count for a time (13).
  func tombstone(of name: ObjectName, _ now: Timestamp) -> NaiveTombstone? {
    guard let tombstone = tombstones[name] else { return nil }
    let interval = policy.tombstoneInterval.milliseconds
    let isOver = interval != 0 && now.rawValue >= tombstone.time.rawValue + interval
    return tombstone.isServers && isOver ? nil : tombstone
  }

  /// Whether an object is there of which nothing is shown.
  func isHidden(_ object: NaiveObject) -> Bool {
    if !object.isTold || object.isSent { return true }
    if object.objectClass == .rich {
      return !isInboxEnabled || privacy == .restricted || privacy == .forgotten
    }
    return operations(on: object.name).contains { $0.wish == .delete }
  }

  /// Whether an object is visible: nothing is where nobody is logged in (3).
  func isVisible(_ object: NaiveObject) -> Bool { isLoggedIn && !isHidden(object) }

  /// An object of that class, if an intent can be about it (22).
  func target(_ objectClass: ObjectClass, _ id: String) -> NaiveObject? {
    guard let object = objects[canonical(objectClass, id)], object.objectClass == objectClass,
      isVisible(object)
    else { return nil }
    return object
  }
}
