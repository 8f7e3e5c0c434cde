package import EventStore
import Tideline

/// Mail that reads as if people had written it.
extension MailServer {
  /// Receives a letter and returns its id.
  @discardableResult
  package func deliver(_ letter: Letter, in thread: String? = nil) -> String {
    let id = receive(letter.subject, from: letter.sender.email ?? "", in: thread)
    messages.change(id) { message in
      message.text = letter.text
      message.snippet = letter.snippet
      message.people[.from] = [letter.sender]
    }
    return id
  }

  /// Fills the mailbox with mail from a span of time, up to its end; the same for the same seed.
  ///
  /// Most of it is read, and older mail is archived. Some threads are starred or under the person's
  /// own tags, some messages have files, a few were sent, and there are drafts.
  package func fill(
    threads count: Int, from start: Timestamp, to end: Timestamp, using dice: inout Dice
  ) {
    var filling = Filling(count, &dice)
    for name in ["work", "family", "travel", "receipts"] { filling.tags.append(makeTag(name)) }
    let total = filling.left
    while filling.left > 0 {
      let number = total - filling.left
      advance(to: start.part(number, of: total, to: end))
      addMessage(&filling, isNew: number * 10 >= total * 9, &dice)
    }
    advance(to: end)
    let recent = start.part(9, of: 10, to: end)
    for thread in threads.all {
      sort(thread.id, isNew: lastDate(of: thread) >= recent, filling.tags, &dice)
    }
    for _ in 0..<(count / 200) { addDraft(&dice) }
  }

  /// The mail that remains to be created.
  private struct Filling {
    /// The numbers of messages of the threads not begun.
    var lengths: [Int]
    /// The unfinished threads, with their numbers of missing messages.
    var open: [(thread: String, left: Int)] = []
    /// The person's own tags.
    var tags: [String] = []
    /// The number of remaining messages.
    var left: Int

    init(_ count: Int, _ dice: inout Dice) {
      lengths = (0..<count).map { _ in
        dice.pick(weighted: [(1, 50), (2, 20), (3, 12), (4, 8), (6, 6), (9, 3), (15, 1)]) ?? 1
      }
      left = lengths.reduce(0, +)
    }
  }

  private func addMessage(_ filling: inout Filling, isNew: Bool, _ dice: inout Dice) {
    filling.left -= 1
    if let length = filling.lengths.last, filling.open.isEmpty || dice.happens(400) {
      filling.lengths.removeLast()
      let id = deliver(Letter(using: &dice))
      if length > 1, let thread = messages[id]?.thread {
        filling.open.append((thread, length - 1))
      }
      finish(id, isNew: isNew, &dice)
    } else {
      // People answer recent mail.
      let place = max(0, filling.open.count - dice.number(1...20))
      let id = deliver(
        answer(in: filling.open[place].thread, &dice), in: filling.open[place].thread)
      filling.open[place].left -= 1
      if filling.open[place].left == 0 { filling.open.remove(at: place) }
      finish(id, isNew: isNew, &dice)
    }
  }

  /// Returns an answer by somebody in the thread, the person, or somebody else.
  private func answer(in thread: String, _ dice: inout Dice) -> Letter {
    let items = threads[thread]?.items ?? []
    let known = dice.pick(items).flatMap { messages[$0]?.people[.from]?.first }
    let person = ObjectPerson(name: "Me", email: Self.person)
    let senders = [(person, 3), (known ?? person, 5), (Letter.person(using: &dice), 2)]
    return Letter(from: dice.pick(weighted: senders), using: &dice)
  }

  private func finish(_ id: String, isNew: Bool, _ dice: inout Dice) {
    let isUnread = dice.happens(isNew ? 400 : 20)
    let file = dice.happens(80) ? addFile(to: id, &dice) : nil
    messages.change(id) { message in
      message.isUnread = isUnread && message.sender != Self.person
      message.files = file.map { [$0] } ?? []
    }
    addContact(messages[id]?.people[.from]?.first)
  }

  private func addFile(to message: String, _ dice: inout Dice) -> String {
    let id = newID("f")
    let kinds = [("photo", "jpg", "image/jpeg"), ("report", "pdf", "application/pdf")]
    let (name, end, type) = dice.pick(kinds) ?? ("", "", "")
    files[id] = ServedFile(
      id: id, name: "\(name)-\(dice.number(1...99)).\(end)", size: Int64(dice.number(1...5000)),
      contentType: type, messages: [message])
    log.add(.create, ObjectName(.file, id))
    return id
  }

  private func addContact(_ person: ObjectPerson?) {
    guard let email = person?.email, email != Self.person, contacts["c-\(email)"] == nil else {
      return
    }
    let id = "c-\(email)"
    contacts[id] = ServedContact(id: id, name: person?.name ?? email, email: email)
    log.add(.create, ObjectName(.contact, id))
  }

  /// Tags a thread as the person would have.
  private func sort(_ id: String, isNew: Bool, _ own: [String], _ dice: inout Dice) {
    let items = threads[id]?.items.compactMap { messages[$0] } ?? []
    var tags: Set<String> = [isNew || dice.happens(400) ? "inbox" : "archive"]
    if items.contains(where: \.isUnread) { tags.formUnion(["unread", "unseen"]) }
    if items.contains(where: { $0.sender == Self.person }) { tags.insert("sent") }
    if dice.happens(40) { tags.insert("starred") }
    if dice.happens(200), let tag = dice.pick(own) { tags.insert(tag) }
    threads.change(id) { $0.tags = tags }
    touched(thread: id)
  }

  private func addDraft(_ dice: inout Dice) {
    let letter = Letter(using: &dice)
    let (id, thread) = (newID("m"), makeThread(letter.subject))
    let person = Letter.person(using: &dice)
    messages[id] = ServedMessage(
      id: id, thread: thread, subject: letter.subject, text: letter.text, sender: Self.person,
      recipients: [person.email ?? ""], date: now, isDraft: true, people: [.to: [person]],
      snippet: letter.snippet)
    threads.change(thread) { $0.items.append(id) }
    log.add(.create, ObjectName(.draft, id))
    touched(thread: thread)
  }
}
