import EventStore
import Foundation
import Testing
import Tideline

// ComingFromInboxKit.md begins
/// Shows the threads of the inbox as they come and go, and archives them.
@MainActor final class SimpleMail: ProviderDelegate {
  let threads: Provider<MailThread>
  private(set) var rows: [String] = []
  private(set) var isLoading = true

  init(_ inbox: Inbox) throws {
    threads = try inbox.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
    threads.tell(self)
  }

  func provider(_ provider: Provider<MailThread>, dataChanged list: ObjectList<MailThread>) {
    rows = list.map(title)
  }

  func provider(_ provider: Provider<MailThread>, dataAltered change: ProviderChange<MailThread>) {
    guard let batches = change.set.batchUpdates(movesArePairs: true) else { return }
    for path in batches.deletions.reversed() { rows.remove(at: path.item) }
    for path in batches.insertions { rows.insert(title(change.list[path.item]), at: path.item) }
    for path in batches.reloads { rows[path.item] = title(change.list[path.item]) }
  }

  func provider(_ provider: Provider<MailThread>, dataFetchFailed notice: InboxNotice) {
    isLoading = false
  }

  func providerDataFetchCompleted(_ provider: Provider<MailThread>) { isLoading = false }

  private func title(_ thread: MailThread) -> String { thread.subject ?? "" }
}
// ComingFromInboxKit.md ends

@MainActor
@Suite(.timeLimit(.minutes(5))) struct SimpleMailTests {
  @Test func threads_comeAndAreArchived() async throws {
    try await SampleStore.withInbox { inbox in
      let mail = try SimpleMail(inbox)
      var thread = MailThread(id: "t1", account: inbox.account)
      (thread.subject, thread.tagIDs) = ("Lunch?", ["inbox"])
      let told = thread
      try await inbox.apply(Delivery { $0.add(told) })
      while mail.rows != ["Lunch?"] { await Task.yield() }
      (thread.subject, thread.lastMessageDate) = ("Lunch!", Date())
      let again = thread
      try await inbox.apply(Delivery { $0.add(again) })
      while mail.rows != ["Lunch!"] { await Task.yield() }
      try await inbox.perform(.archive(told))
      while !mail.rows.isEmpty { await Task.yield() }
      mail.threads.end()
    }
  }
}
