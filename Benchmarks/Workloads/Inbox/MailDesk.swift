import BenchmarkPeers
import EventStore
import Foundation
import Tideline

/// An inbox with a mailbox in it.
enum MailDesk {
  static func open(_ folder: String, views: [DeclaredView] = []) async throws -> InboxStore {
    var options = InboxStore.Options()
    options.views = views
    options.core.log.mapSize = 4 << 30
    options.core.viewsMapSize = 4 << 30
    return try await InboxStore.open(at: folder, options: options)
  }

  /// The inbox of the only account.
  static func inbox(of store: InboxStore) -> Inbox {
    store.inbox(of: InboxMail.login.account)
  }

  /// An inbox in a new folder that holds all messages of a mailbox, and is closed; returns the
  /// folder.
  ///
  /// - Parameter threads: Whether the server tells of the threads as well, before all messages.
  static func filled(
    _ mail: InboxMail, threads: Bool = false, in parent: String, _ name: String,
    views: [DeclaredView] = []
  ) async throws -> String {
    let folder = try TemporaryFolder.made(in: parent, "\(name)-\(mail.mailbox.count)")
    let store = try await open(folder, views: views)
    try await store.logIn("ann@example.com", policy: .inbox)
    if threads {
      try await fill(store, mail.mailbox.groupCount, .thread) { mail.threadPayload($0) }
    }
    try await fill(store, mail.mailbox.count, .message) { mail.payload($0) }
    try await store.core.commitViews()
    await store.close()
    return folder
  }

  private static func fill(
    _ store: InboxStore, _ count: Int, _ objectClass: ObjectClass, _ payload: (Int) -> [UInt8]
  ) async throws {
    var receipts: [Receipt] = []
    for (index, numbers) in MailSizes.batches(count).enumerated() {
      let batch = InboxMail.batch(numbers.map(payload), of: objectClass)
      receipts.append(try store.core.submit(batch))
      if index >= MailStore.inFlight {
        try await receipts[index - MailStore.inFlight].durable()
      }
    }
    for receipt in receipts.suffix(MailStore.inFlight) { try await receipt.durable() }
  }

  /// The bytes of the files in a folder and those within it.
  static func bytes(of folder: String) -> Int {
    let files = FileManager.default.enumerator(
      at: URL(filePath: folder), includingPropertiesForKeys: [.fileSizeKey])
    return (files?.allObjects ?? []).reduce(0) { sum, file in
      let size = try? (file as? URL)?.resourceValues(forKeys: [.fileSizeKey])
      return sum + (size?.fileSize ?? 0)
    }
  }
}
