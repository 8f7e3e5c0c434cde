import EventStore
import Foundation
import TestSupport
import Tideline

/// A log with a planted fault: the server claims to show what was written to it, but doesn't.
enum CameBackUnread {
  private static let login = Login(account: 1, epoch: 1)
  private static let start: Int64 = 1_763_719_200_000

  /// Creates the log in a store's folder.
  static func make(in folder: String) async throws {
    let log = try await Log.open(at: folder)
    var batch = Batch()
    var time = start
    func add(_ event: some InboxEvent, exchange: RecordNumber? = nil) {
      time += 1000
      batch.add(
        event, recordedAt: Timestamp(rawValue: time), login: login,
        exchange: exchange.map { .record($0) },
        entity: event.entity.map { log.fingerprint(of: $0.text(in: login.account)) })
    }
    add(
      LoggedIn {
        $0.person = "alice@example.com"
        $0.policy.readsOwnWrites = true
      })
    func answer(_ threads: ClosedRange<Int>, unread: Set<Int>) {
      let exchange = RecordNumber(rawValue: UInt64(batch.count + 1))
      add(
        Exchange {
          ($0.request, $0.objectClass, $0.status) = (.page, .thread, 200)
          $0.sentAfter = RecordNumber(rawValue: UInt64(batch.count))
        })
      for number in threads {
        let tags = ["inbox"] + (unread.contains(number) ? ["unread"] : [])
        add(
          ObjectFact(
            .thread,
            ObjectFields {
              $0.put(.id, "t\(number)")
              $0.put(.subject, "Letter \(number)")
              $0.put(.lastMessageDate, Timestamp(rawValue: start + Int64(number) * 60_000))
              $0.put(.tags, tags.map { ObjectLabel($0) })
            }), exchange: exchange)
      }
    }
    answer(1...20, unread: [3, 7, 12])
    func read(_ id: String) {
      let intent = RecordNumber(rawValue: UInt64(batch.count + 1))
      add(MarkRead { ($0.objectClass, $0.ids, $0.isRead) = (.thread, [id], true) })
      add(OperationStarted { $0.intent = intent })
      add(
        OperationAcknowledged {
          ($0.intent, $0.status) = (intent, 200)
        })
    }
    read("t3")
    answer(1...5, unread: [])
    read("t7")
    answer(6...10, unread: [7])
    answer(11...20, unread: [12])
    try await log.append(batch)
    await log.close()
  }
}

extension TemporaryFolder {
  /// Creates a folder inside this one and returns its path.
  func made(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: path(of: name), withIntermediateDirectories: true)
    return path(of: name)
  }
}
