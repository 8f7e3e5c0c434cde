import Foundation
import Tideline

/// The number of objects in an inbox.
struct SyncProgress: CustomStringConvertible {
  let threads: Int
  let messages: Int
  var rich: Int

  init(of inbox: Inbox) throws {
    threads = try inbox.count(of: MailThread.self)
    messages = try inbox.count(of: Message.self)
    rich = try inbox.rich.contents(window: 0..<0).allCount
  }

  var description: String {
    "\(threads) threads, \(messages) messages, \(rich) rich messages"
  }
}

extension Inbox {
  /// Returns the number of objects of a type, or of those that match a predicate.
  func count<Object: Model>(
    of type: Object.Type, where predicate: Predicate<Object>? = nil
  ) throws -> Int {
    let provider = try provider(type, where: predicate, window: 0..<0)
    defer { provider.end() }
    return provider.start.count ?? 0
  }
}
