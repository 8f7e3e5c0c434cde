import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// The code on the page about devices: what an extension leaves, and the app takes in.
@Suite(.timeLimit(.minutes(5))) struct DeviceTests {
  // OnADevice.md begins
  /// What a share extension leaves for the app: a draft.
  struct SharedDraft: Codable {
    var subject: String
    var body: String

    /// In the extension: leaves the draft in a folder.
    func leave(in folder: URL) throws {
      let file = folder.appendingPathComponent("\(UUID().uuidString).draft")
      try JSONEncoder().encode(self).write(to: file, options: .atomic)
    }

    /// In the app: saves the drafts in the folder.
    static func takeIn(from folder: URL, into inbox: Inbox) async throws {
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      for file in files where file.pathExtension == "draft" {
        let content = try Data(contentsOf: file)
        if let shared = try? JSONDecoder().decode(Self.self, from: content) {
          var draft = Draft(id: inbox.newID(), account: inbox.account)
          draft.subject = shared.subject
          try await inbox.perform(.save(draft, body: shared.body))
        }
        try FileManager.default.removeItem(at: file)
      }
    }
  }
  // OnADevice.md ends

  @Test func draft_thatAnExtensionLeft_isTakenInOnce() async throws {
    let parent = try TemporaryFolder()
    let folder = URL(fileURLWithPath: parent.path)
    try await SampleStore.withInbox { inbox in
      try SharedDraft(subject: "Look", body: "<p>here</p>").leave(in: folder)
      // What is no draft keeps no other back.
      try Data("{".utf8).write(to: folder.appendingPathComponent("0.draft"))
      try await SharedDraft.takeIn(from: folder, into: inbox)
      try await SharedDraft.takeIn(from: folder, into: inbox)
      let drafts = try inbox.provider(Draft.self).start.list
      #expect(drafts.map(\.subject) == ["Look"])
      let body = try #require(drafts.first?.body)
      #expect(try inbox.text(body) == "<p>here</p>")
      #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path).isEmpty)
    }
  }
}
