import BenchmarkHarness
import EventStore
import Foundation
import Synchronization
import Tideline

/// The space that an inbox takes after a year without cleaning up.
enum InboxYear {
  /// The maximum size at any time, in bytes.
  private static let bytesMax = 100_000_000.0
  private static let (messagesPerDay, refreshesPerDay, readPerDay) = (300, 20, 40)
  private static let day = 86_400.0

  /// Returns the cases: a whole year at the real size of the workload, and less at others.
  static func cases(_ setting: Workload.Setting) -> [Case] {
    let days = max(setting.size * 365 / 100_000, 3)
    var short = Retention()
    (short.age, short.bytes) = (.seconds(7 * day), 4 << 20)
    return [
      room("\(days) days of an inbox, as it is by itself", days, Retention(), bytesMax),
      room("\(days) days of an inbox, of which a week is kept", days, short, bytesMax),
    ]
  }

  private static func room(
    _ name: String, _ days: Int, _ retention: Retention, _ limit: Double
  ) -> Case {
    Case(name, [Claim(.amount(unit: "B on disk, at most"), atMost: limit)], isSlow: true) { round in
      let now = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
      var options = InboxStore.Options()
      options.retention = retention
      options.now = { now.withLock { $0 } }
      options.sleep = { _ in try await Task.sleep(for: .seconds(3600)) }
      let store = try await InboxStore.open(at: round.folder, options: options)
      let inbox = try await store.logIn("ann@example.com", policy: .inbox)
      var most = 0
      for number in 0..<days {
        try await live(number, inbox) { now.withLock { $0 += day / Double(refreshesPerDay) } }
        // Much of a year is idle, so due work is done by then.
        if number % 10 == 9 { try await store.tidy() }
        most = max(most, bytes(of: round.folder))
      }
      await store.close()
      return Sample(amount: Double(max(most, bytes(of: round.folder))))
    }
  }

  /// Simulates a day: messages arrive, the last ones are listed repeatedly, and some are read.
  private static func live(_ day: Int, _ inbox: Inbox, _ pass: () -> Void) async throws {
    let first = day * messagesPerDay
    for refresh in 1...refreshesPerDay {
      let last = first + messagesPerDay * refresh / refreshesPerDay
      try await inbox.apply(
        Delivery { delivery in
          for number in max(last - messagesPerDay, 0)..<last {
            delivery.add(message(number, of: inbox, isUnread: number >= first || !isRead(number)))
          }
        })
      pass()
    }
    for number in first..<(first + messagesPerDay) where isRead(number) {
      let receipt = try await inbox.perform(.markRead(Message.self, [id(number)]))
      try await acknowledge(receipt.number, of: inbox)
    }
  }

  /// Records that the server has performed an intent.
  private static func acknowledge(_ intent: RecordNumber, of inbox: Inbox) async throws {
    var batch = Batch()
    batch.add(
      OperationAcknowledged { $0.intent = intent }, recordedAt: InboxMail.now,
      login: InboxMail.login)
    try await inbox.store.core.append(batch, durability: .relaxed)
  }

  /// Whether a message is among the last of its day, which are read.
  private static func isRead(_ number: Int) -> Bool {
    number % messagesPerDay >= messagesPerDay - readPerDay
  }

  private static func id(_ number: Int) -> String { "message-\(1_000_000_000_000_000 + number)" }

  private static func message(_ number: Int, of inbox: Inbox, isUnread: Bool) -> Message {
    var message = Message(id: id(number), account: inbox.account)
    message.subject = "Minutes of the meeting, and what \(number)"
    message.snippet = String(repeating: "and so on, as they had said it before; ", count: 3)
    message.threadID = "thread-\(number / 4)"
    message.date = Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 288)
    message.tagIDs = Set((0...(number % 4)).map { "tag-\((number * 7 + $0 * 13) % 50)" })
    message.isUnread = isUnread
    return message
  }

  private static func bytes(of folder: String) -> Int {
    let files = FileManager.default.enumerator(
      at: URL(filePath: folder), includingPropertiesForKeys: [.fileSizeKey])
    return (files?.allObjects ?? []).reduce(0) { sum, file in
      let values = try? (file as? URL)?.resourceValues(forKeys: [.fileSizeKey])
      return sum + (values?.fileSize ?? 0)
    }
  }
}
