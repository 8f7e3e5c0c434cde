import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// The code on the page about devices: what an extension leaves, and the app takes in.
@Suite(.timeLimit(.minutes(5))) struct DeviceTests {
  // OnADevice.md begins
  /// What a share extension leaves for the app: a draft of the person who is logged in.
  struct SharedDraft: Codable {
    var person: String
    var subject: String
    var body: String

    /// In the extension: leaves the draft in a folder.
    func leave(in folder: URL) throws {
      let file = folder.appendingPathComponent("\(UUID().uuidString).draft")
      try JSONEncoder().encode(self).write(to: file, options: .atomic)
    }

    /// In the app: saves the person's drafts in the folder, and removes those of others.
    static func takeIn(from folder: URL, of person: String, into inbox: Inbox) async throws {
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      for file in files where file.pathExtension == "draft" {
        let content = try Data(contentsOf: file)
        let shared = try? JSONDecoder().decode(Self.self, from: content)
        do {
          if let shared, shared.person == person { try await shared.save(in: inbox) }
          try FileManager.default.removeItem(at: file)
        } catch is RowError, StoreError.log(.tooLarge) {
          // Moved aside, it keeps no other draft back.
          try FileManager.default.moveItem(at: file, to: file.appendingPathExtension("refused"))
        }
      }
    }

    private func save(in inbox: Inbox) async throws {
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.subject = subject
      try await inbox.perform(.save(draft, body: body))
    }
  }
  // OnADevice.md ends

  /// Drafts of others, drafts that are too large, and what is no draft keep no other back.
  @Test func draft_thatAnExtensionLeft_isTakenInOnce() async throws {
    let parent = try TemporaryFolder()
    let folder = URL(fileURLWithPath: parent.path)
    let (person, other) = ("alice@example.com", "bob@example.com")
    try await SampleStore.withInbox { inbox in
      try SharedDraft(person: person, subject: "Look", body: "<p>here</p>").leave(in: folder)
      try SharedDraft(person: other, subject: "Secret", body: "").leave(in: folder)
      let long = String(repeating: "a", count: 1 << 20)
      try SharedDraft(person: person, subject: long, body: "").leave(in: folder)
      try SharedDraft(person: person, subject: "There", body: "").leave(in: folder)
      try Data("{".utf8).write(to: folder.appendingPathComponent("0.draft"))
      for _ in 0..<2 { try await SharedDraft.takeIn(from: folder, of: person, into: inbox) }
      let drafts = try inbox.provider(Draft.self).start.list
      #expect(Set(drafts.map(\.subject)) == ["Look", "There"] && drafts.count == 2)
      let body = try #require(drafts.first { $0.subject == "Look" }?.body)
      #expect(try inbox.text(body) == "<p>here</p>")
      let left = try FileManager.default.contentsOfDirectory(atPath: parent.path)
      #expect(left.count == 1 && left.allSatisfy { $0.hasSuffix(".draft.refused") })
    }
  }
}
