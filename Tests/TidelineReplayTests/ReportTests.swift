import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineReplay

/// A report can be exported from the device, whatever the state of the views.
@Suite struct ReportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func fill(_ count: Int) async throws {
    let store = try await InboxStore.open(at: folder.path)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    var told = Delivery()
    for index in 0..<count {
      var thread = MailThread(id: "thread-\(index)", account: inbox.account)
      thread.subject = "Confidential matter \(index)"
      thread.tagIDs = ["inbox", "unread"]
      thread.lastMessageDate = Date(timeIntervalSince1970: 1_700_000_000 + Double(index))
      told.add(thread)
    }
    try await inbox.apply(told)
    await store.close()
  }

  private func text(of report: LogReport) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await part in report { bytes += part }
    return bytes
  }

  @Test func report_isPrivate_andComesToTheSame() async throws {
    try await fill(40)
    let store = try await InboxStore.open(at: folder.path)
    let bytes = try await text(of: try store.report())
    let plain = try await text(of: try store.report(redact: .verbatim))
    #expect(!String(decoding: bytes, as: UTF8.self).contains("Confidential"))
    #expect(!String(decoding: bytes, as: UTF8.self).contains("alice"))
    #expect(String(decoding: plain, as: UTF8.self).contains("Confidential matter 39"))
    await store.close()

    let copy = try TemporaryFolder()
    var parts = [bytes]
    _ = try Log.importing(into: copy.path) { parts.popLast() }
    let log = try await Log.open(at: copy.path)
    let views = try Replay(log, reducer: InboxReducer(), at: log.last).views
    #expect(try views.count(of: ListName(InboxViews.unreadInbox, of: 1)) == 40)
    await log.close()
  }

  @Test func report_ofBrokenViews() async throws {
    try await fill(10)
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/views") {
      let path = "\(folder.path)/views/\(name)"
      try FileManager.default.removeItem(atPath: path)
      try Data("no views".utf8).write(to: URL(fileURLWithPath: path))
    }
    let report = try await InboxStore.report(at: folder.path)
    let bytes = try await text(of: report)
    await report.close()
    #expect(bytes.split(separator: UInt8(ascii: "\n")).count > 12)
    let views = try String(
      contentsOfFile: try #require(
        FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/views")
          .map { "\(folder.path)/views/\($0)" }.first), encoding: .utf8)
    #expect(views == "no views")
  }

  @Test func report_withALimit() async throws {
    try await fill(2000)
    let report = try await InboxStore.report(at: folder.path, limit: 100_000)
    let bytes = try await text(of: report)
    await report.close()
    #expect(bytes.count <= 100_000 && bytes.count > 60_000)
  }

  @Test func report_since() async throws {
    try await fill(50)
    let report = try await InboxStore.report(at: folder.path, since: 40)
    let bytes = try await text(of: report)
    await report.close()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    // The login, a stand-in for the others, and what came since.
    #expect(lines[1].hasPrefix("{\"number\":1,"))
    #expect(lines[2].hasPrefix("{\"number\":39,\"kind\":65535,"))
    #expect(lines[3].hasPrefix("{\"number\":40,"))
  }
}
