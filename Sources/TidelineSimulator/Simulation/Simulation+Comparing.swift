import EventStore
import Tideline

/// Comparisons of a device with the mail server.
extension Simulation {
  func compare(_ place: Int, with server: MailServer) throws {
    let device = devices[place]
    for thread in server.allThreads { try compare(thread, device) }
    for message in server.allMessages where !message.isDraft { try compare(message, device) }
    for tag in server.allTags { try compare(tag, device) }
    for contact in server.contacts.all { try compare(contact, device) }
    for file in server.files.all { try compare(file, device) }
    for name in server.removed where try device.shows(name) {
      if try device.isSaving(name.id) || server.has(device.latestName(of: name)) { continue }
      violate(.staysDeleted, "\(device.name) still shows \(name.line)")
    }
    try compareDrafts(device, server)
    try lookForMore(MailThread.self, than: server, .thread, device)
    try lookForMore(Message.self, than: server, .message, device)
    try lookForMore(Tag.self, than: server, .tag, device)
    try lookForMore(Contact.self, than: server, .contact, device)
    try lookForMore(Attachment.self, than: server, .file, device)
  }

  /// Looks for objects that a device shows and the server never had, apart from refused ones that
  /// are kept on the device.
  private func lookForMore<Object: Model>(
    _ type: Object.Type, than server: MailServer, _ objectClass: ObjectClass,
    _ device: SimulatedDevice
  ) throws {
    for id in try device.shown(type) where try device.isKept(id) == false {
      let name = ObjectName(objectClass, device.ledger.serverID(of: id))
      guard !server.has(name), !server.removed.contains(name) else { continue }
      violate(.converges, "\(device.name) shows \(name.line), which is nowhere else")
    }
  }

  private func compare(_ thread: ServedThread, _ device: SimulatedDevice) throws {
    guard let shown = try device.object(MailThread.self, thread.id) else {
      return violate(.converges, "\(device.name) lacks thread \(thread.id)")
    }
    let tags = Set(shown.tagIDs.map(device.ledger.serverID))
    if tags != thread.tags {
      violate(
        .converges,
        "\(device.name): thread \(thread.id) is under \(tags.sorted()), not \(thread.tags.sorted())"
      )
    }
    if shown.subject ?? "" != thread.subject {
      violate(.converges, "\(device.name): thread \(thread.id) is \(shown.subject ?? "none")")
    }
    let items = shown.messageIDs.union(shown.draftIDs).map(device.ledger.serverID)
    // A text that was neither saved nor sent stays on its device.
    let more = try Set(items).symmetricDifference(thread.items).sorted().filter {
      let isSaving = try device.isSaving($0)
      return !isSaving || !items.contains($0)
    }
    if !more.isEmpty {
      violate(.converges, "\(device.name): thread \(thread.id) differs in \(more)")
    }
  }

  private func compare(_ message: ServedMessage, _ device: SimulatedDevice) throws {
    let id = device.localID(of: message.id)
    guard let shown = try device.object(Message.self, id) else {
      return violate(.converges, "\(device.name) lacks message \(message.id)")
    }
    if shown.isUnread != message.isUnread || shown.threadID != message.thread {
      violate(
        .converges,
        "\(device.name): message \(id) in \(shown.threadID ?? "none") has unread \(shown.isUnread)")
    }
    // A text written here stays here, even if the draft was sent elsewhere.
    let text = shown.body.flatMap(device.text)
    if try device.isSaving(id) == false,
      shown.subject ?? "" != message.subject || text ?? "" != message.text
    {
      violate(
        .converges,
        "\(device.name): message \(id) is \(shown.subject ?? "none"): \(text ?? "none")")
    }
  }

  private func compare(_ tag: ServedTag, _ device: SimulatedDevice) throws {
    let name = try device.object(Tag.self, device.localID(of: tag.id))?.providedName
    guard name != tag.name else { return }
    violate(.converges, "\(device.name): tag \(tag.id) is \(name ?? "none"), not \(tag.name)")
  }

  private func compare(_ contact: ServedContact, _ device: SimulatedDevice) throws {
    let shown = try device.object(Contact.self, contact.id)
    guard shown?.name != contact.name || shown?.email != contact.email else { return }
    let what = shown.map { "\($0.name ?? "none") \($0.email ?? "none")" } ?? "not there"
    violate(.converges, "\(device.name): contact \(contact.id) is \(what)")
  }

  private func compare(_ file: ServedFile, _ device: SimulatedDevice) throws {
    let shown = try device.object(Attachment.self, device.localID(of: file.id))
    guard shown?.filename != file.name || shown?.size != Int(file.size) else { return }
    violate(.converges, "\(device.name): file \(file.id) is \(shown?.filename ?? "not there")")
  }

  private func compareDrafts(_ device: SimulatedDevice, _ server: MailServer) throws {
    let list = ListName(InboxViews.drafts, of: device.account)
    let rows = try device.store.views.rows(of: list, in: 0...)
    let refused = Set(try device.open.map(\.id))
    let own = rows.compactMap { Draft.name(of: $0.id)?.id }
    let shown = own.filter { !refused.contains($0) }.map(device.ledger.serverID)
    let kept = Set(refused.map(device.ledger.serverID))
    let served = server.allMessages.filter { $0.isDraft && !kept.contains($0.id) }.map(\.id)
    let more = Set(shown).symmetricDifference(served).sorted()
    if !more.isEmpty { violate(.converges, "\(device.name): drafts differ in \(more)") }
  }
}

extension SimulatedDevice {
  /// Returns the id on this device of an item at the server.
  func localID(of id: String) -> String { ledger.localID(of: id) }

  /// Returns the ids of all visible objects of a type.
  func shown<Object: Model>(_ type: Object.Type) throws -> [String] {
    let last = store.views.lastRow(of: Object.collection)?.rawValue ?? 0
    return try (0..<last).compactMap { number in
      guard let id = store.views.id(of: RowID(rawValue: number + 1), in: Object.collection),
        let name = Object.name(of: id), name.account == account
      else { return nil }
      return try object(type, name.id) == nil ? nil : name.id
    }
  }
}

extension MailServer {
  /// Whether an object exists.
  func has(_ name: ObjectName) -> Bool {
    switch name.objectClass {
    case .thread: threads[name.id] != nil
    case .draft: messages[name.id]?.isDraft == true
    case .message: messages[name.id]?.isDraft == false
    case .tag: tags[name.id] != nil
    case .contact: contacts[name.id] != nil
    case .file: files[name.id] != nil
    default: false
    }
  }

  /// All threads.
  package var allThreads: [ServedThread] { threads.all }

  /// All messages and drafts.
  package var allMessages: [ServedMessage] { messages.all }

  /// All tags.
  package var allTags: [ServedTag] { tags.all }
}

extension RichServer {
  /// Whether a device may not know that a message has ended: it was recalled, which is never
  /// reported; or it came only by a push, without its end, and ended before the server was asked;
  /// or it ended just now.
  func isUnheard(_ id: String, onlyByPush: Bool) -> Bool {
    guard let message = messages[id], let end = message.end else { return false }
    if manner == .marketingCloud { return message.isRecalled || onlyByPush && end <= now }
    return end > now.advanced(by: .seconds(-120))
  }

  /// Whether a message's time is over.
  func hasEnded(_ id: String) -> Bool { messages[id]?.end.map { $0 <= now } == true }

  /// Returns the messages to show to a visitor, whether or not they were already sent.
  func shown(to visitor: Visitor) -> [ServedRich] {
    messages.all.filter { $0.start <= now && ($0.end.map { now < $0 } ?? true) }
  }
}
