import EventStore
import Foundation
import Tideline

/// The worker's spool, log or inbox, and the commands it performs on them.
struct Session {
  private var spool: Spool?
  private var log: Log?
  private var inbox: Inbox?

  /// Performs the command of a line, and returns the answer.
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

  /// Drops the superuser's privileges.
  private func become(_ user: UInt32) -> Bool { setgid(user) == 0 && setuid(user) == 0 }

  /// `receive TIME JSON`: answers with the kind of push, and whether it was recorded.
  private func receive(_ time: Date, _ payload: PushPayload) async throws -> String {
    if let spool {
      return try spool.receive(payload, by: .marketingCloud, at: time).answer
    }
    return try await log?.receive(payload, by: .marketingCloud, at: time).answer ?? "nothing open"
  }

  /// `open TIME JSON`: does the same for an opened push.
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

  /// Parses `unknown`, `nobody`, or an account and an epoch with a slash between.
  private static func recipient(_ word: String) -> Recipient {
    let numbers = word.split(separator: "/").compactMap { UInt32($0) }
    guard numbers.count == 2 else { return word == "nobody" ? .nobody : .unknown }
    return .login(Login(account: numbers[0], epoch: numbers[1]))
  }
}

extension ReceivedPush {
  fileprivate var answer: String { "\(kind) \(isRecorded ? "recorded" : "not recorded")" }
}
