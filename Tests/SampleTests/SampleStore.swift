import TestSupport
import Tideline

/// A store for samples, in a folder of its own.
enum SampleStore {
  /// Calls `body` with the inbox of a logged-in person.
  nonisolated(nonsending) static func withInbox(
    _ policy: PolicySwitches = .inbox, options: InboxStore.Options = InboxStore.Options(),
    _ body: (Inbox) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try await InboxStore.open(at: folder.path, options: options)
    try await body(try await store.logIn("alice@example.com", policy: policy))
    await store.close()
  }
}
