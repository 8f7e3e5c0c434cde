import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// An app can check its store's health and copy the store.
@Suite(.timeLimit(.minutes(5))) struct HealthTests {
  @Test func store_isVerified_andSaysWhatWasRefused() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let store = inbox.store
      try await inbox.tell(threads: ["a": ["inbox"]])
      let record = try await inbox.record(
        ChangeTags {
          ($0.objectClass, $0.ids, $0.added, $0.removed) = (.thread, ["a"], ["x"], ["x"])
        })
      #expect(store.failure == nil)
      #expect(try store.refused().map(\.number) == [record])
      #expect(try await store.verify().isSound)
      await #expect(throws: StoreError.cancelled) { try await store.verify { _ in false } }
    }
  }

  @Test func backup_isOpenedInPlaceOfTheLog() async throws {
    let copy = try TestDesk()
    let log = copy.folder.path(of: "log")
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.tell(threads: ["a": ["inbox"]])
      try await inbox.store.backup(to: log)
      try await inbox.tell(threads: ["b": ["inbox"]])
      await #expect(throws: StoreError.log(.occupied(path: log))) {
        try await inbox.store.backup(to: log)
      }
    }
    let store = try await copy.open()
    #expect(try store.inbox(of: 1).provider(MailThread.self).start.list.map(\.id) == ["a"])
    await store.close()
  }
}
