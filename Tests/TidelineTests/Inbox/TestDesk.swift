import EventStore
import Foundation
import Synchronization
import TestSupport
import Tideline

/// A store in its own folder, whose time the test controls.
final class TestDesk: Sendable {
  let folder: TemporaryFolder
  /// The time that has passed since a fixed date, and how far the clock was set.
  private let time = Mutex((passed: Duration.zero, jump: Duration.zero))
  /// A closure that is called whenever the time is read.
  let onNow = Mutex<(@Sendable () -> Void)?>(nil)

  init() throws { folder = try TemporaryFolder() }

  var now: Date {
    onNow.withLock { $0 }?()
    let seconds = time.withLock { ($0.passed + $0.jump) / .seconds(1) }
    return Date(timeIntervalSince1970: 1_750_000_000 + seconds)
  }

  func advance(by seconds: Double) { time.withLock { $0.passed += .seconds(seconds) } }

  /// Sets the clock forward or back while no time passes.
  func setClock(by seconds: Double) { time.withLock { $0.jump += .seconds(seconds) } }

  private var uptime: Duration { time.withLock { $0.passed } }

  /// Lets time pass until the task is cancelled, for waits until a moment that is drawn at random.
  func passTime() -> Task<Void, Never> {
    Task { [self] in
      while !Task.isCancelled {
        advance(by: 5)
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  var options: InboxStore.Options {
    var options = InboxStore.Options()
    options.now = { [self] in now }
    options.uptime = { [self] in uptime }
    options.sleep = { [self] duration in
      let end = uptime + duration
      while uptime < end { try await Task.sleep(for: .milliseconds(1)) }
    }
    options.random = SeededGenerator(seed: 7)
    return options
  }

  func open() async throws -> InboxStore {
    try await InboxStore.open(at: folder.path, options: options)
  }

  var spool: Spool { get throws { try Spool(at: folder.path(of: "spool")) } }

  /// Runs the body with the inbox of a person who is logged in.
  static func withInbox(
    _ policy: PolicySwitches = .inbox, _ body: (Inbox, TestDesk) async throws -> Void
  ) async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    try await body(try await store.logIn("alice@example.com", policy: policy), desk)
    await store.close()
  }
}

extension Inbox {
  /// Applies a server's delivery of threads with these tags, oldest first.
  func tell(threads: KeyValuePairs<String, Set<String>>) async throws {
    try await apply(
      Delivery { delivery in
        for (index, (id, tags)) in threads.enumerated() {
          var thread = MailThread(id: id, account: account)
          thread.lastMessageDate = Date(timeIntervalSince1970: 1_700_000_000 + Double(index))
          thread.tagIDs = tags
          delivery.add(thread)
        }
      })
  }

  /// Applies a server's delivery of rich messages, oldest first.
  func tell(
    rich ids: String..., startingIn start: Double? = nil, endingIn end: Double? = nil
  ) async throws {
    try await apply(
      Delivery { delivery in
        for (index, id) in ids.enumerated() {
          var message = RichMessage(id: id, account: account)
          message.subject = "Subject of \(id)"
          message.sendDateUtc = Date(timeIntervalSince1970: 1_700_000_000 + Double(index))
          message.startDateUtc = start.map { Date(timeIntervalSince1970: 1_750_000_000 + $0) }
          message.endDateUtc = end.map { Date(timeIntervalSince1970: 1_750_000_000 + $0) }
          delivery.add(message)
        }
      })
  }

  /// Records an event that this module's own methods don't record.
  @discardableResult
  func record(
    _ event: some InboxEvent, epoch: UInt32 = 1, at now: Date? = nil
  ) async throws -> RecordNumber {
    var batch = Batch()
    let time = now?.kept ?? Timestamp(rawValue: 1_750_000_000_000)
    batch.add(event, recordedAt: time, login: Login(account: account, epoch: epoch))
    return try await store.core.append(batch).lowerBound
  }
}
