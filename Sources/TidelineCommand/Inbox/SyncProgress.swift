import Tideline

/// How much an inbox has.
struct SyncProgress: CustomStringConvertible {
  let threads: Int
  let messages: Int
  var rich: Int

  init(of inbox: Inbox) throws {
    threads = try Self.count(MailThread.self, in: inbox)
    messages = try Self.count(Message.self, in: inbox)
    rich = try inbox.rich.contents(in: 0..<0).allCount
  }

  private static func count<Object: Model>(_ type: Object.Type, in inbox: Inbox) throws -> Int {
    let provider = try inbox.provider(type, window: 0..<0)
    defer { provider.end() }
    return provider.count ?? 0
  }

  var description: String {
    "\(threads) threads, \(messages) messages, \(rich) rich messages"
  }
}
