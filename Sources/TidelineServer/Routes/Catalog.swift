import EventStore
import Tideline
import TidelineHTTP
import TidelineSimulator
import TidelineSync

/// The objects of a mail server as they are written, and the order of pages, each made once and
/// kept until it changes.
struct Catalog {
  private struct Order {
    let ids: [String]
    /// By which date each of them has its place.
    let dates: [String: Timestamp]
  }

  private var orders: [ObjectClass: Order] = [:]
  private var objects: [ObjectName: [UInt8]] = [:]
  /// The last transaction that is taken into account.
  private var last = 0

  /// Has everything be made.
  mutating func prepare(of server: MailServer) {
    for objectClass in MailServer.classes {
      for id in ids(of: objectClass, from: server) {
        _ = object(ObjectName(objectClass, id), from: server)
      }
    }
  }

  /// The ids of a class in the order of pages.
  mutating func ids(of objectClass: ObjectClass, from server: MailServer) -> [String] {
    catchUp(with: server)
    if let order = orders[objectClass] { return order.ids }
    let order = server.order(of: objectClass)
    let dates = Dictionary(uniqueKeysWithValues: order.map { ($0.id, $0.date) })
    orders[objectClass] = Order(ids: order.map(\.id), dates: dates)
    return order.map(\.id)
  }

  /// An object as it is written; `nil` where there is none under that class.
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

  /// Forgets what has changed.
  private mutating func catchUp(with server: MailServer) {
    let changed = server.changed(behind: last)
    last = changed.last
    for name in changed.names {
      forget(name, server)
      switch name.objectClass {
      // Each may have become the other.
      case .message: forget(ObjectName(.draft, name.id), server)
      case .draft: forget(ObjectName(.message, name.id), server)
      // Threads say the names of their tags.
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
