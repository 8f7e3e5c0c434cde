import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineSync

/// The recipes, with stand-ins for what only Apple's systems have.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct RecipesTests {
  private let newest = [SortDescriptor(\MailThread.effectiveDate, order: .reverse)]

  private func tell(_ inbox: Inbox, _ id: String, day: Int, _ tags: Set<String> = []) async throws {
    var thread = MailThread(id: id, account: inbox.account)
    thread.subject = id
    thread.lastMessageDate = Date(timeIntervalSince1970: 1_700_000_000 + Double(day) * 86_400)
    thread.tagIDs = tags
    let told = thread
    try await inbox.apply(Delivery { $0.add(told) })
  }

  private func unread(_ inbox: Inbox) throws -> Provider<MailThread> {
    try inbox.provider(
      MailThread.self, where: #Predicate { $0.isUnread }, sort: newest, window: 0..<3)
  }

  @Test(.feature(94)) func table_showsTheList() async throws {
    try await SampleStore.withInbox { inbox in
      for day in 0..<5 { try await tell(inbox, "t\(day)", day: day, ["unread"]) }
      let table = UITableView()
      let source = ThreadTable(try unread(inbox), in: table)
      table.reloadData()
      #expect(table.texts == ["t4", "t3", "t2"])
      try await inbox.perform(.markRead(MailThread.self, ["t3"]))
      try await tell(inbox, "t2", day: 9, ["unread"])
      while table.texts != ["t2", "t4", "t1"] { await Task.yield() }
      let cell = try #require(table.cells.last)
      source.tableView(table, willDisplay: cell, forRowAt: IndexPath(row: 2, section: 0))
      while table.texts != ["t2", "t4", "t1", "t0"] { await Task.yield() }
      let list = ThreadList(unread: LiveList(try unread(inbox)))
      let rows = try #require(list.body as? List<Text>)
      #expect(rows.body.map(\.body) == ["t2", "t4", "t1"])
    }
  }

  @Test func days_areSections() async throws {
    try await SampleStore.withInbox { inbox in
      for (id, day) in [("a", 0), ("b", 0), ("c", 1)] {
        try await tell(inbox, id, day: day, ["unread"])
      }
      let provider = try unread(inbox)
      let dataSource = DiffableDataSource<Date, String>()
      dataSource.onChange = { if dataSource.shown.count > 1 { provider.end() } }
      let showing = Task { try await showDays(of: provider, in: dataSource) }
      while dataSource.shown.isEmpty { await Task.yield() }
      #expect(dataSource.shown[0].items.map(\.items) == [["c"], ["a", "b"]])
      try await tell(inbox, "c", day: 0, ["unread", "inbox"])
      try await showing.value
      let snapshot = try #require(dataSource.shown.last)
      #expect(snapshot.items.map(\.items) == [["a", "b", "c"]] && snapshot.reconfigured == ["c"])
    }
  }

  private func showDays(
    of provider: Provider<MailThread>, in dataSource: DiffableDataSource<Date, String>
  ) async throws {
    // Recipes.md begins
    /// A day, and which rows of a list are its.
    struct Day: Hashable {
      let start: Date
      var rows: Range<Int>
    }

    func days(of list: ObjectList<MailThread>, in calendar: Calendar) -> [Day] {
      var days: [Day] = []
      for (index, thread) in list.enumerated() {
        let start = calendar.startOfDay(for: thread.effectiveDate)
        if days.last?.start == start {
          days[days.count - 1].rows = days[days.count - 1].rows.lowerBound..<index + 1
        } else {
          days.append(Day(start: start, rows: index..<index + 1))
        }
      }
      return days
    }

    func snapshot(of list: ObjectList<MailThread>) -> NSDiffableDataSourceSnapshot<Date, String> {
      var snapshot = NSDiffableDataSourceSnapshot<Date, String>()
      for day in days(of: list, in: .current) {
        snapshot.appendSections([day.start])
        snapshot.appendItems(list[day.rows].map(\.id), toSection: day.start)
      }
      return snapshot
    }

    let changes = provider.changes
    await dataSource.applySnapshotUsingReloadData(snapshot(of: provider.current.list))
    for await change in changes {
      var next = snapshot(of: change.list)
      if change.set.isReset {
        await dataSource.applySnapshotUsingReloadData(next)
      } else {
        next.reconfigureItems(change.set.edits.updates.map { change.list[$0.index].id })
        await dataSource.apply(next)
      }
    }
    // Recipes.md ends
  }

  @Test func starred_areOnTop() async throws {
    let parent = try TemporaryFolder()
    let folder = parent.path
    // Recipes.md begins
    var options = InboxStore.Options()
    let newest = [SortDescriptor(\MailThread.effectiveDate, order: .reverse)]
    options.views = [
      try DeclaredView(
        "others", of: MailThread.self, where: #Predicate { !$0.isStarred }, sort: newest)
    ]
    let store = try await InboxStore.open(at: folder, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)

    let starred = try inbox.provider(
      MailThread.self, where: #Predicate { $0.isStarred }, sort: newest)
    let others = try inbox.provider(
      MailThread.self, where: #Predicate { !$0.isStarred }, sort: newest)
    // Recipes.md ends
    var (top, rest) = (starred.changes.makeAsyncIterator(), others.changes.makeAsyncIterator())
    try await tell(inbox, "a", day: 0)
    #expect(await rest.next()?.list.map(\.id) == ["a"])
    let thread = try #require(try inbox.object(MailThread.self, "a"))
    try await inbox.perform(.star(thread))
    #expect(await top.next()?.list.map(\.id) == ["a"])
    #expect(await rest.next()?.set.batchUpdates(inSection: 1)?.deletions.map(\.section) == [1])
    await store.close()
  }

  // Recipes.md begins
  struct StickyThreads {
    let inbox: Inbox
    /// What was opened while this list is shown.
    var opened: Set<String> = []

    func rows(_ list: ObjectList<MailThread>) throws -> [MailThread] {
      let away = opened.subtracting(list.map(\.id))
      let kept = try away.compactMap { try inbox.object(MailThread.self, $0) }
      return (Array(list) + kept).sorted {
        ($1.effectiveDate, $0.id) < ($0.effectiveDate, $1.id)
      }
    }
  }
  // Recipes.md ends

  @Test func rows_stayUntilTheyAreLeft() async throws {
    try await SampleStore.withInbox { inbox in
      for day in 0..<3 { try await tell(inbox, "t\(day)", day: day, ["unread"]) }
      var sticky = StickyThreads(inbox: inbox)
      sticky.opened.insert("t1")
      try await inbox.perform(.markRead(MailThread.self, ["t1"]))
      #expect(try unread(inbox).start.list.map(\.id) == ["t2", "t0"])
      #expect(try sticky.rows(unread(inbox).start.list).map(\.id) == ["t2", "t1", "t0"])
    }
  }

  // Recipes.md begins
  /// Finds people whose name or address begins with what somebody has typed.
  func people(_ typed: String, in inbox: Inbox) throws -> Provider<Contact> {
    let start = FoldedText(typed).text
    return try inbox.provider(
      Contact.self,
      where: #Predicate {
        $0.foldedName.text.starts(with: start) || $0.foldedEmail.text.starts(with: start)
      },
      sort: [SortDescriptor(\.foldedName)], window: 0..<20, counts: false)
  }

  /// Finds the messages that name a person, as the sender or otherwise.
  func messages(naming person: Contact, in inbox: Inbox) throws -> Provider<Message> {
    let address = Participant(email: person.email ?? "").address
    return try inbox.provider(
      Message.self, where: #Predicate { $0.addresses.contains(address) },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
  }
  // Recipes.md ends

  @Test func mail_isFound_byWhomItNames() async throws {
    try await SampleStore.withInbox { inbox in
      try await inbox.apply(
        Delivery { delivery in
          for (id, name, email) in [("1", "Zoë", "z@example.com"), ("2", "Bob", "B@Example.com")] {
            var contact = Contact(id: id, account: inbox.account)
            (contact.name, contact.email) = (name, email)
            delivery.add(contact)
            var message = Message(id: "m\(id)", account: inbox.account)
            message.to = [Participant(name: name, email: email.uppercased())]
            delivery.add(message)
          }
        })
      for (typed, id) in [("ZOE", "1"), ("zoë", "1"), ("bo", "2"), ("b@E", "2")] {
        let found = try people(typed, in: inbox)
        #expect(found.start.list.map(\.id) == [id] && found.plan.residue == nil, "\(typed)")
      }
      let bob = try #require(try inbox.object(Contact.self, "2"))
      let found = try messages(naming: bob, in: inbox)
      #expect(found.start.list.map(\.id) == ["m2"])
      // The inbox maintains this list.
      let kept = try inbox.store.read { snapshot in
        try snapshot.list(of: found.plan, in: inbox.account).count
      }
      #expect(kept == 1)
    }
  }

  @Test func contacts_areInTheOrderOfTheLanguage() async throws {
    try await SampleStore.withInbox { inbox in
      try await inbox.apply(
        Delivery { delivery in
          for (id, name) in [("1", "b10"), ("2", "b9"), ("3", "Ä")] {
            var contact = Contact(id: id, account: inbox.account)
            contact.name = name
            delivery.add(contact)
          }
        })
      // Recipes.md begins
      let contacts = try inbox.provider(
        Contact.self, sort: [SortDescriptor(\.foldedName)], window: 0..<2_000)

      func localized(_ list: ObjectList<Contact>) -> [Contact] {
        list.sorted { a, b in
          let (left, right) = (a.name ?? a.email ?? "", b.name ?? b.email ?? "")
          return switch left.localizedStandardCompare(right) {
          case .orderedAscending: true
          case .orderedDescending: false
          case .orderedSame: a.id < b.id
          }
        }
      }
      // Recipes.md ends
      #expect(contacts.start.list.map(\.id) == ["3", "1", "2"])
      #expect(localized(contacts.start.list).map(\.id) == ["3", "2", "1"])
    }
  }

  // Recipes.md begins
  /// What a widget shows, in a file in the container of the app group.
  struct WidgetFile {
    let url: URL

    /// The threads in the file: none if there is no file, or if it can't be read.
    var threads: [MailThread] {
      (try? JSONDecoder().decode([MailThread].self, from: Data(contentsOf: url))) ?? []
    }

    /// Writes the threads to show; returns whether they differ from those in the file.
    func update(from inbox: Inbox) throws -> Bool {
      let unread = try inbox.provider(
        MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") && $0.isUnread },
        sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<10)
      let threads = Array(unread.start.list)
      guard threads != self.threads else { return false }
      try JSONEncoder().encode(threads).write(to: url, options: .atomic)
      return true
    }

    /// Removes the threads from the file.
    func clear() throws { try Data("[]".utf8).write(to: url, options: .atomic) }
  }
  // Recipes.md ends

  @Test func widget_showsWhatTheAppWrote() async throws {
    let folder = try TemporaryFolder()
    let file = WidgetFile(url: URL(fileURLWithPath: folder.path(of: "widget.json")))
    try await SampleStore.withInbox { inbox in
      #expect(file.threads.isEmpty)
      try await tell(inbox, "a", day: 0, ["inbox", "unread"])
      #expect(try file.update(from: inbox))
      #expect(try !file.update(from: inbox))
      try await tell(inbox, "b", day: 1, ["inbox", "unread"])
      #expect(try file.update(from: inbox))
      #expect(file.threads.map(\.id) == ["b", "a"])
      // Whatever is in the file ends no app.
      try Data("{\"rows\":[1]}".utf8).write(to: file.url)
      #expect(file.threads.isEmpty)
      #expect(try file.update(from: inbox))
      #expect(file.threads.count == 2)
      // Recipes.md begins
      try file.clear()
      try await inbox.logOut(pending: .hold)
      try file.clear()
      // Recipes.md ends
      #expect(try file.threads.isEmpty && Data(contentsOf: file.url).count == 2)
    }
  }

  @Test func accounts_areOneList() async throws {
    let parent = try TemporaryFolder()
    let folder = parent.path
    // Recipes.md begins
    var options = InboxStore.Options()
    let newest = [SortDescriptor(\MailThread.effectiveDate, order: .reverse)]
    options.views = [
      try DeclaredView(
        "all inboxes", of: MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
        sort: newest, acrossAccounts: true)
    ]
    let store = try await InboxStore.open(at: folder, options: options)

    let all = try store.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") }, sort: newest)
    let numbers = try store.badge()
    // Recipes.md ends
    for (day, person) in ["alice@example.com", "bob@example.com"].enumerated() {
      let inbox = try await store.logIn(person, policy: .inbox)
      try await tell(inbox, "t", day: day, ["inbox", "unread"])
    }
    var (changes, badge) = (all.changes.makeAsyncIterator(), numbers.makeAsyncIterator())
    #expect(await changes.next()?.list.map(\.account) == [2, 1])
    #expect(await badge.next() == 2)
    await store.close()
  }

  @Test func firstScreen_isShownAtOnce() async throws {
    let parent = try TemporaryFolder()
    let folder = parent.path
    var shown: [String] = []
    func show(_ list: ObjectList<MailThread>, of count: Int) { shown = list.map(\.id) }
    let store = try await InboxStore.open(at: folder)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let account = inbox.account
    let list = try inbox.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") }, sort: newest)
    try await tell(inbox, "t", day: 0, ["inbox"])
    await store.close()
    list.end()
    // Recipes.md begins
    let plan = try QueryPlan<MailThread>(
      where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
    if let screen = try InboxStore.firstScreen(at: folder, of: plan, in: account) {
      show(screen.objects, of: screen.count)
    }
    // Recipes.md ends
    #expect(shown == ["t"])
  }
}
