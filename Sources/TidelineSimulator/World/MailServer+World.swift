import Tideline

/// Events at a mailbox from elsewhere.
extension MailServer {
  private enum Event: CaseIterable {
    case newThread, answer, readMessage, readThread, unreadThread, tag, deleteMessage
    case deleteThread, editDraft, makeDraft, renameTag, newTag, newContact, sendDraft

    var weight: Int {
      switch self {
      case .newThread: 8
      case .answer, .readMessage, .readThread, .tag: 4
      case .unreadThread, .deleteMessage, .editDraft, .makeDraft: 2
      case .deleteThread, .renameTag, .newTag, .newContact, .sendDraft: 1
      }
    }
  }

  /// Makes an event happen, and describes it.
  func happen(using dice: inout Dice, _ isLifelike: Bool) -> String? {
    let choices = Event.allCases.map { ($0, $0.weight) }
    guard let event = dice.pick(weighted: choices) else { return nil }
    return mail(event, &dice, isLifelike) ?? person(event, &dice) ?? drafts(event, &dice)
  }

  private func mail(_ event: Event, _ dice: inout Dice, _ isLifelike: Bool) -> String? {
    switch event {
    case .newThread where isLifelike:
      return "mail \(deliver(Letter(using: &dice))) comes"
    case .answer where isLifelike:
      let thread = dice.pick(threads.ids)
      let id = deliver(Letter(using: &dice), in: thread)
      return "mail \(id) comes in \(thread ?? "a new thread")"
    case .newThread:
      return "mail \(receive("news \(dice.number(0...999))", from: sender(&dice), in: nil)) comes"
    case .answer:
      let thread = dice.pick(threads.ids)
      let id = receive("answer \(dice.number(0...999))", from: sender(&dice), in: thread)
      return "mail \(id) comes in \(thread ?? "a new thread")"
    case .newTag:
      let name = "label \(tags.count)"
      return "tag \(makeTag(name)) is made"
    case .renameTag:
      guard let tag = dice.pick(tags.all.filter(\.isOwn)) else { return nil }
      rename(tag: tag.id, "label \(tag.id) \(dice.number(0...99))")
      return "tag \(tag.id) is renamed"
    case .newContact:
      let id = newID("c")
      contacts[id] = ServedContact(id: id, name: "contact \(id)", email: sender(&dice))
      log.add(.create, ObjectName(.contact, id))
      return "contact \(id) is made"
    default: return nil
    }
  }

  private func sender(_ dice: inout Dice) -> String { "p\(dice.number(1...9))@example.com" }

  private func person(_ event: Event, _ dice: inout Dice) -> String? {
    let message = dice.pick(messages.all.filter { !$0.isDraft })?.id
    guard let thread = dice.pick(threads.ids), let message else { return nil }
    switch event {
    case .readMessage:
      read(message: message, true)
      return "another device reads message \(message)"
    case .readThread, .unreadThread:
      read(thread: thread, event == .readThread)
      return "another device marks thread \(thread)"
    case .tag: return tag(thread, &dice)
    case .deleteMessage:
      remove(message: message)
      return "another device deletes message \(message)"
    case .deleteThread:
      remove(thread: thread)
      return "another device deletes thread \(thread)"
    default: return nil
    }
  }

  private func tag(_ thread: String, _ dice: inout Dice) -> String? {
    let own = tags.all.filter(\.isOwn).map(\.id)
    guard let tag = dice.pick(["starred", "inbox", "archive"] + own) else { return nil }
    let isThere = threads[thread]?.tags.contains(tag) == true
    self.tag(thread: thread, isThere ? [] : [tag], isThere ? [tag] : [])
    return "another device \(isThere ? "takes" : "puts") \(tag) of thread \(thread)"
  }

  private func drafts(_ event: Event, _ dice: inout Dice) -> String? {
    let drafts = messages.all.filter(\.isDraft)
    switch event {
    case .makeDraft:
      let id = newID("m")
      let thread = makeThread("draft \(id)")
      messages[id] = ServedMessage(
        id: id, thread: thread, subject: "draft \(id)", text: "from elsewhere",
        sender: Self.person, recipients: [sender(&dice)], date: now, isDraft: true)
      threads.change(thread) { $0.items.append(id) }
      log.add(.create, ObjectName(.draft, id))
      touched(thread: thread)
      return "another device makes draft \(id)"
    case .editDraft:
      guard let draft = dice.pick(drafts) else { return nil }
      messages.change(draft.id) { draft in
        draft.text += "+"
        draft.version += 1
        draft.date = now
      }
      touched(draft: draft.id)
      return "another device edits draft \(draft.id)"
    case .sendDraft:
      guard let draft = dice.pick(drafts.filter { !$0.recipients.isEmpty }) else { return nil }
      messages.change(draft.id) { $0.isDraft = false }
      log.add(.modify, ObjectName(.message, draft.id))
      touched(thread: draft.thread)
      return "another device sends draft \(draft.id)"
    default: return nil
    }
  }
}
