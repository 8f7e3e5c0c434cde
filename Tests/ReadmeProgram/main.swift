// README.md begins
import EventStore
import Foundation
import Tideline

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
let store = try await InboxStore.open(at: folder)
let inbox = try await store.logIn("alice@example.com", policy: .inbox)
let unread = try inbox.provider(
  MailThread.self, where: #Predicate { $0.isUnread },
  sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<50)

var told = Delivery()  // What a server would tell.
for (index, subject) in ["Minutes", "Lunch?"].enumerated() {
  var thread = MailThread(id: "t\(index)", account: inbox.account)
  thread.subject = subject
  thread.lastMessageDate = Date(timeIntervalSince1970: 1_700_000_000 + Double(index))
  thread.tagIDs = ["inbox", "unread"]
  told.add(thread)
}
try await inbox.apply(told)

for await change in unread.changes {  // Two came, then one went.
  for edit in change.set.edits.removals { print("gone: row", edit.index) }
  for edit in change.set.edits.insertions { print("new: row", edit.index, edit.row.id) }
  guard change.list.count > 1, let newest = change.list.first else { break }
  try await inbox.perform(.markRead(newest))
}
await store.close()
// README.md ends
