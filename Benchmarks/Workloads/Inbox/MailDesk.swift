import BenchmarkPeers
import EventStore
import Foundation
import Tideline

/// Stores with an inbox that holds a mailbox.
enum MailDesk {
  static func open(_ folder: String, views: [DeclaredView] = []) async throws -> InboxStore {
    var options = InboxStore.Options()
    options.views = views
    options.core.log.mapSize = 4 << 30
    options.core.viewsMapSize = 4 << 30
    return try await InboxStore.open(at: folder, options: options)
  }

  /// Returns the inbox of the only account.
  static func inbox(of store: InboxStore) -> Inbox {
    store.inbox(of: InboxMail.login.account)
  }

  /// Creates a closed store in a new folder, with all messages of a mailbox, and returns the
  /// folder.
  ///
  /// - Parameter threads: Whether the server also reports the threads, before all messages.
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

  /// Returns the bytes of all files in a folder, recursively.
  static func bytes(of folder: String) -> Int {
    let files = FileManager.default.enumerator(
      at: URL(filePath: folder), includingPropertiesForKeys: [.fileSizeKey])
    return (files?.allObjects ?? []).reduce(0) { sum, file in
      let size = try? (file as? URL)?.resourceValues(forKeys: [.fileSizeKey])
      return sum + (size?.fileSize ?? 0)
    }
  }
}
