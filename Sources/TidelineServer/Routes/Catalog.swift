import EventStore
import Tideline
import TidelineHTTP
import TidelineSimulator
import TidelineSync

/// A cache of a mail server's objects, as written on the wire, and of the order of its pages;
/// entries last until they change.
struct Catalog {
  private struct Order {
    let ids: [String]
    /// The date that determines the place of each id.
    let dates: [String: Timestamp]
  }

  private var orders: [ObjectClass: Order] = [:]
  private var objects: [ObjectName: [UInt8]] = [:]
  /// The last transaction taken into account.
  private var last = 0

  /// Fills the cache with all objects.
  mutating func prepare(of server: MailServer) {
    for objectClass in MailServer.classes {
      for id in ids(of: objectClass, from: server) {
        _ = object(ObjectName(objectClass, id), from: server)
      }
    }
  }

  /// Returns the ids of a class in page order.
  mutating func ids(of objectClass: ObjectClass, from server: MailServer) -> [String] {
    catchUp(with: server)
    if let order = orders[objectClass] { return order.ids }
    let order = server.order(of: objectClass)
    let dates = Dictionary(uniqueKeysWithValues: order.map { ($0.id, $0.date) })
    orders[objectClass] = Order(ids: order.map(\.id), dates: dates)
    return order.map(\.id)
  }

  /// Returns an object as written on the wire; `nil` if the class has none with that id.
  mutating func object(_ name: ObjectName, from server: MailServer) -> [UInt8]? {
    catchUp(with: server)
    if let object = objects[name] { return object }
    let question = Question.object(name.objectClass, id: name.id)
    guard let fact = try? server.answer(question, token: server.token).facts.first else {
      return nil
    }
    let object = Array(JSONWriter.text { $0.fact(fact) }.utf8)
    objects[name] = object
    return object
  }

  /// Discards what has changed.
  private mutating func catchUp(with server: MailServer) {
    let changed = server.changed(after: last)
    last = changed.last
    for name in changed.names {
      forget(name, server)
      switch name.objectClass {
      // A message may have become a draft, or a draft a message.
      case .message: forget(ObjectName(.draft, name.id), server)
      case .draft: forget(ObjectName(.message, name.id), server)
      // Threads contain the names of their tags.
      case .tag: objects = objects.filter { $0.key.objectClass != .thread }
      default: break
      }
    }
  }

  private mutating func forget(_ name: ObjectName, _ server: MailServer) {
    objects[name] = nil
    guard let order = orders[name.objectClass], order.dates[name.id] != server.date(of: name)
    else { return }
    orders[name.objectClass] = nil
  }
}
