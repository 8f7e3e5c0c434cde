import EventStore
import Foundation
import Tideline

/// The spool, the log or the inbox that the worker has, and what it can be told to do.
struct Session {
  private var spool: Spool?
  private var log: Log?
  private var inbox: Inbox?

  /// Does what a line says; returns the line to answer with.
  mutating func answer(_ command: String, _ words: [String]) async -> String {
    do {
      switch command {
      case "spool": spool = try Spool(at: words[0])
      case "log": log = try await Log.open(at: words[0])
      case "become": return become(UInt32(words[0]) ?? 0) ? "done" : "failed"
      case "recipient": try spool?.setRecipient(Self.recipient(words[0]))
      case "receive": return try await receive(Self.time(words[0]), Self.payload(words[1]))
      case "open": return try await open(Self.time(words[0]), Self.payload(words[1]))
      case "memory": return "\(Memory.residentBytes)"
      case "close": await log?.close()
      case "inbox": inbox = try await InboxStore.open(at: words[0]).inbox(of: 1)
      case "forget": try await inbox?.setPrivacy(.forgotten)
      case "erase": try await inbox?.erase()
      default: return "unknown command"
      }
      return "done"
    } catch {
      return "error \(error)"
    }
  }

  /// Gives up the rights of the superuser.
  private func become(_ user: UInt32) -> Bool { setgid(user) == 0 && setuid(user) == 0 }

  /// `receive TIME JSON`: answers with what it was, and whether it was recorded.
  private func receive(_ time: Date, _ payload: PushPayload) async throws -> String {
    if let spool {
      return try spool.receive(payload, by: .marketingCloud, at: time).answer
    }
    return try await log?.receive(payload, by: .marketingCloud, at: time).answer ?? "nothing open"
  }

  /// `open TIME JSON`: the same for an opening.
  private func open(_ time: Date, _ payload: PushPayload) async throws -> String {
    let response = PushResponse(payload, action: "buy", isLaunch: true)
    if let spool {
      return try spool.receive(response, by: .marketingCloud, at: time).answer
    }
    return try await log?.receive(response, by: .marketingCloud, at: time).answer ?? "nothing open"
  }

  private static func time(_ word: String) -> Date {
    Date(timeIntervalSince1970: Double(word).map { $0 / 1000 } ?? 0)
  }

  private static func payload(_ text: String) throws(PushError) -> PushPayload {
    try PushPayload(json: Array(text.utf8))
  }

  /// `unknown`, `nobody`, or the numbers of account and epoch with a slash between.
  private static func recipient(_ word: String) -> Recipient {
    let numbers = word.split(separator: "/").compactMap { UInt32($0) }
    guard numbers.count == 2 else { return word == "nobody" ? .nobody : .unknown }
    return .login(Login(account: numbers[0], epoch: numbers[1]))
  }
}

extension ReceivedPush {
  fileprivate var answer: String { "\(kind) \(isRecorded ? "recorded" : "not recorded")" }
}
