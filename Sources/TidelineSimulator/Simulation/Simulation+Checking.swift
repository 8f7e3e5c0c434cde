import EventStore
import Tideline
import TidelineSync

/// Checks made once the simulation is at rest.
extension Simulation {
  /// Checks everything.
  package func check() throws {
    if steps >= Self.stepsMax { violate(.comesToRest, "\(steps) steps, and no end") }
    for place in devices.indices {
      try checkPerson(place)
      checkRejections(place)
      try checkFold(place)
    }
    checkDeeds()
    checkAnswers()
    checkOrder()
    checkMarkings()
  }

  /// Checks what the person who uses a device wanted and is shown.
  func checkPerson(_ place: Int) throws {
    try checkRest(place)
    try checkVigil(place)
    try checkPromises(place)
    try mail.map { try checkWords(place, $0) }
    try mail.map { try compare(place, with: $0) }
    try rich.map { try checkWords(place, $0) }
  }

  /// Checks that operations of a device on each object were performed in the order in which they
  /// were wanted.
  ///
  /// Changes of rich messages are never reversed, so their order is not visible. A sending comes
  /// after all that was saved until it began.
  private func checkOrder() {
    guard plan.kind == .mail else { return }
    var last: [ObjectName: [Sender: RecordNumber]] = [:]
    for deed in server.deeds {
      guard let (sender, intent) = senders[deed.key], !isDropped(deed) else { continue }
      let (device, name) = (devices[sender.place], ObjectName(deed.part.objectClass, deed.id))
      let earlier = last[name]?[sender] ?? intent
      if intent < earlier, !deed.part.wanted.isSending {
        violate(.inOrder, "\(device.name): \(intent) on \(name.line) behind \(earlier)")
      }
      last[name, default: [:]][sender] = max(intent, earlier)
    }
  }

  /// Checks that markings of threads and of the messages in them were performed in the order in
  /// which they were wanted: each concerns what the others mark.
  ///
  /// Nothing waits for what was tried in vain.
  private func checkMarkings() {
    guard let mail else { return }
    var last: [ObjectName: [Sender: RecordNumber]] = [:]
    for deed in server.deeds {
      guard case .read = deed.part.wanted, let (sender, intent) = senders[deed.key],
        !isDropped(deed), devices[sender.place].ledgers[sender.account]?.wasRetried(intent) == false
      else { continue }
      let isOfThread = deed.part.objectClass == .thread
      guard let thread = isOfThread ? deed.id : mail.message(deed.id)?.thread else { continue }
      let (own, other): (ObjectClass, ObjectClass) =
        isOfThread ? (.thread, .message) : (.message, .thread)
      if let earlier = last[ObjectName(other, thread)]?[sender], intent < earlier {
        let device = devices[sender.place]
        violate(.inOrder, "\(device.name): \(intent) in thread \(thread) behind \(earlier)")
      }
      // Messages of one thread need no order among themselves.
      let former = last[ObjectName(own, thread)]?[sender] ?? intent
      last[ObjectName(own, thread), default: [:]][sender] = max(intent, former)
    }
  }

  /// Whether the operation was dropped at logout; its person did not know its outcome, and may have
  /// wanted the same again.
  private func isDropped(_ deed: Deed) -> Bool {
    guard let (sender, intent) = senders[deed.key] else { return false }
    return devices[sender.place].ledgers[sender.account]?.isDropped(intent) == true
  }

  private func checkRest(_ place: Int) throws {
    let device = devices[place]
    let (id, accounts) = ("\(device.account)", Accounts.collection)
    let last = device.store.views.value(of: Accounts.lastRefresh, in: id, of: accounts)
    if let wellSince, last ?? wellSince <= wellSince {
      violate(.comesToRest, "\(device.name) was not brought up to date since all is well")
    }
    for operation in try device.open where operation.state != .rejected {
      violate(
        .comesToRest,
        "\(device.name): \(operation.kind) of \(operation.id) is \(operation.state)")
    }
    for refused in device.store.refused {
      violate(.understood, "\(device.name): \(refused.number) \(refused.reason)")
    }
  }

  private func checkFold(_ place: Int) throws {
    let device = devices[place]
    guard try device.store.folded().mark == device.store.mark else {
      return violate(.folds, "\(device.name) shows what its log does not come to")
    }
    do { try device.store.checkInvariants() } catch {
      violate(.folds, "\(device.name): \(error)")
    }
    try checkCompaction(place)
  }

  /// Checks the operations that the server performed.
  private func checkDeeds() {
    var (seen, made): ([String: Int], [String: Int]) = ([:], [:])
    let isKnown = plan.manners.keyInterval != nil
    for deed in server.deeds where !decided.contains(deed.part.id) {
      let (id, objectClass) = (deed.part.id, deed.part.objectClass)
      if deed.key != OperationKey(), isKnown {
        seen["\(deed.key) \(objectClass) \(id)", default: 0] += 1
      }
      switch deed.part.wanted {
      case _ where isDropped(deed): break
      case .sending: seen["sending of \(id)", default: 0] += 1
      case let wanted where wanted.isMaking: made[id, default: 0] += 1
      default: break
      }
    }
    // A server without keys creates an object again for a repeated request.
    for (id, count) in made where isKnown || count > makings[id, default: 0] {
      seen["making of \(id)"] = count
    }
    for (name, count) in seen.sorted(by: { $0.key < $1.key }) where count > 1 {
      violate(.once, "\(name) \(count) times")
    }
  }
}

extension ServerRequest.Wanted {
  /// Whether the operation creates an object at the server.
  var isMaking: Bool {
    switch self {
    case .draft(_, let isNew), .tag(_, let isNew): isNew
    case .file: true
    default: false
    }
  }
}

/// Checks of what people wanted of mail.
extension Simulation {
  fileprivate func checkWords(_ place: Int, _ server: MailServer) throws {
    let device = devices[place]
    let ownTags = people[place][personPlace(place)].ownTags
    for spot in device.ledger.spots where ownTags.contains(spot.tag) {
      guard !device.ledger.isLost(spot.thread), let word = device.ledger.word(on: spot),
        let thread = server.thread(spot.thread), thread.tags.contains(spot.tag) != word
      else { continue }
      // The server did something earlier, after it had reported a later state without it.
      if plan.manners.lateShare > 0, device.ledger.isSuperseded(spot) { continue }
      violate(
        .lastWord, "\(device.name): \(spot.tag) of \(spot.thread) is \(!word) at the server")
    }
    for word in device.ledger.deleted {
      let id = device.ledger.serverID(of: word.item)
      guard server.has(ObjectName(word.wanted, id)) else { continue }
      violate(.lastWord, "\(device.name): \(word.wanted) \(id) is not deleted at the server")
    }
    for word in device.ledger.sent where device.ledger.isAcknowledged(word) {
      let id = device.ledger.serverID(of: word.item)
      guard server.message(id)?.isDraft == true else { continue }
      violate(.trueAnswers, "\(device.name): draft \(id) was not sent")
    }
    for word in device.ledger.lastTexts { try check(word, place, server) }
    for word in device.ledger.attached {
      let file = device.ledger.serverID(of: word.wanted)
      guard let draft = server.message(device.ledger.serverID(of: word.item)),
        !draft.files.contains(file)
      else { continue }
      violate(.lastWord, "\(device.name): \(word.item) lacks \(word.wanted)")
    }
  }

  /// Checks that a written text is on the device, at the server, or both.
  private func check(
    _ word: Ledger.Word<String>, _ place: Int, _ server: MailServer
  ) throws {
    let (device, draft, text) = (devices[place], word.item, word.wanted)
    let id = device.ledger.serverID(of: draft)
    let isOver = device.ledger.deleted.contains { $0.item == draft }
    let served = server.message(id)
    guard !isOver, !decided.contains(draft) else { return }
    if let thread = device.ledger.thread(ofDraft: draft), let served, served.thread != thread {
      violate(.lastWord, "\(device.name): \(draft) is in \(served.thread), not in \(thread)")
    }
    let rejected = try device.open.filter {
      $0.id == draft && $0.kind == .saveDraft && $0.state == .rejected
    }
    // A draft that was sent elsewhere is a message here, under the text written here.
    let message = try device.object(Message.self, draft)
    let kept = try (device.object(Draft.self, draft)?.body ?? message?.body).flatMap(device.text)
    if server.removed.contains(where: { $0.id == id }) {
      // A text deleted elsewhere goes, unless the server never took it.
      guard !device.ledger.isAcknowledged(word), kept != text else { return }
      return violate(.textKept, "\(device.name): \(draft) is gone, and \(text) with it")
    }
    if !rejected.isEmpty {
      guard kept != text else { return }
      return violate(
        .textKept, "\(device.name): \(draft) was refused, and its text is \(kept ?? "none")")
    }
    // Edits from elsewhere end with a plus sign.
    guard served?.text.hasSuffix("+") != true,
      !device.ledger.mayHaveArrived(served?.text, after: word)
    else { return }
    if served?.text != text {
      violate(.lastWord, "\(device.name): \(draft) is \(served?.text ?? "none"), not \(text)")
    }
    if served?.isDraft == true, kept != text {
      violate(.textKept, "\(device.name): \(draft) shows \(kept ?? "none"), not \(text)")
    }
  }
}

/// Checks of what people wanted of rich messages.
extension Simulation {
  fileprivate func checkWords(_ place: Int, _ server: RichServer) throws {
    let device = devices[place]
    guard let login = device.login else { return }
    let visitor = server.keeper(for: visitor(login, place))
    for word in device.ledger.read {
      let isRead = try device.object(RichMessage.self, word.item)?.isRead
      guard isRead == false || !server.isDone(word.item, by: visitor).isRead else { continue }
      // It ended before that could be done.
      if isRead == nil, server.hasEnded(word.item) { continue }
      violate(.lastWord, "\(device.name): \(word.item) is not read")
    }
    for word in device.ledger.deleted {
      let isDeleted = try device.object(RichMessage.self, word.item)?.isDeleted
      guard isDeleted == false || !server.isDone(word.item, by: visitor).isDeleted else {
        continue
      }
      violate(.lastWord, "\(device.name): \(word.item) is not deleted")
    }
    try compareTexts(device, server)
    try compareReadings(device, server, visitor)
    let list = ListName(InboxViews.allRich, of: device.account)
    let shown = try device.store.views.rows(of: list, in: 0...)
    let ids = Set(shown.compactMap { RichMessage.name(of: $0.id)?.id })
    let told = server.shown(to: visitor).map(\.id).filter {
      !server.isDone($0, by: visitor).isDeleted
    }
    guard ids != Set(told) else { return }
    let missing = Set(told).subtracting(ids).sorted()
    let more = try ids.subtracting(told).sorted().filter { id in
      let isPartial = try device.object(RichMessage.self, id)?.isPartial == true
      return !server.isUnheard(id, onlyByPush: isPartial) && !device.ledger.isLost(id)
    }
    guard !missing.isEmpty || !more.isEmpty else { return }
    violate(.converges, "\(device.name) lacks \(missing), and has \(more) more")
  }

  /// Checks that what a device shows as read is what the server knows as read.
  ///
  /// A reading that was given up on its way may have arrived, and not every server tells that.
  private func compareReadings(
    _ device: SimulatedDevice, _ server: RichServer, _ visitor: Visitor
  ) throws {
    for id in try device.shown(RichMessage.self) where !device.ledger.isLost(id) {
      let isRead = try device.object(RichMessage.self, id)?.isRead
      guard isRead != server.isDone(id, by: visitor).isRead else { continue }
      violate(.converges, "\(device.name): \(id) is \(isRead == true ? "read" : "unread")")
    }
  }

  /// Checks that fully received messages on a device equal the server's; edits are ignored if the
  /// server doesn't send a received message again.
  private func compareTexts(_ device: SimulatedDevice, _ server: RichServer) throws {
    for id in try device.shown(RichMessage.self) {
      guard let shown = try device.object(RichMessage.self, id), !shown.isPartial,
        let message = server.message(id), server.manner == .engage || message.edits == 0
      else { continue }
      let text = shown.content.flatMap(device.text)
      guard shown.subject != message.subject || text != message.text else { continue }
      violate(
        .converges, "\(device.name): \(id) is \(shown.subject ?? "none"): \(text ?? "none")")
    }
  }
}
