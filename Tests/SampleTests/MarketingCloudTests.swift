import Foundation
import TestSupport
import Testing
import Tideline

// ComingFromMarketingCloud.md begins
/// Takes over what the SDK knows: the dictionaries of all messages, and of the deleted ones.
func takeOver(_ messages: [[String: Any]], into inbox: Inbox) async throws {
  let known = messages.filter { $0["id"] is String }
  try await inbox.apply(
    Delivery { delivery in
      for entry in known {
        var message = RichMessage(partOf: entry["id"] as? String ?? "", account: inbox.account)
        message.subject = entry["subject"] as? String
        message.title = entry["title"] as? String
        message.alert = entry["alert"] as? String
        message.url = entry["url"] as? String
        message.sendDateUtc = entry["sendDateUtc"] as? Date
        message.startDateUtc = entry["startDateUtc"] as? Date
        message.endDateUtc = entry["endDateUtc"] as? Date
        delivery.add(message)
      }
    })
  func ids(_ flag: String) -> [String] {
    known.filter { $0[flag] as? Bool == true }.compactMap { $0["id"] as? String }
  }
  try await inbox.rich.markRead(ids("read"))
  try await inbox.rich.delete(ids("deleted"))
}
// ComingFromMarketingCloud.md ends

/// The migration of an app that used the MarketingCloud SDK.
@Suite(.timeLimit(.minutes(5))) struct MarketingCloudTests {
  private static let day = Date(timeIntervalSince1970: 1_700_000_000)
  private var old: [[String: Any]] {
    [
      ["id": "read", "subject": "One", "sendDateUtc": Self.day, "read": true, "deleted": false],
      ["id": "unread", "subject": "Two", "read": NSNumber(value: false), "alert": "Hi"],
      ["id": "deleted", "subject": "Three", "read": true, "deleted": NSNumber(value: true)],
      ["subject": "Nobody's", "read": true],
    ]
  }

  private func expectTakenOver(_ inbox: Inbox) throws {
    let boxes = try [.unread, .read, .deleted].map { (box: RichInbox.Box) in
      try inbox.rich.contents(of: box).messages.map(\.id)
    }
    #expect(boxes == [["unread"], ["read"], ["deleted"]])
  }

  @Test(.feature(36, 40, 89)) func whatTheDeviceKnows_isTakenOver_andStays() async throws {
    try await SampleStore.withInbox(.marketingCloud) { inbox in
      for _ in 0..<2 { try await takeOver(old, into: inbox) }
      try expectTakenOver(inbox)
      #expect(try inbox.object(RichMessage.self, "read")?.sendDateUtc == Self.day)
      // The server sends all three messages, and knows nothing of their states.
      try await inbox.apply(
        Delivery { delivery in
          for id in ["read", "unread", "deleted"] {
            var message = RichMessage(id: id, account: inbox.account)
            message.subject = "The whole"
            delivery.add(message)
          }
        })
      try expectTakenOver(inbox)
      #expect(try inbox.object(RichMessage.self, "read")?.subject == "The whole")
    }
  }
}
