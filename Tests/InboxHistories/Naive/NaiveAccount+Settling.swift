import EventStore
import Tideline

// The end of acknowledged operations (37).
extension NaiveAccount {
  func isSame(_ one: NaiveOperation, _ other: NaiveOperation) -> Bool {
    one.intent == other.intent && one.name == other.name
  }

  /// Settles an acknowledged operation at once if possible, or lets it wait.
  mutating func settleOrWait(
    _ operation: NaiveOperation, _ event: OperationAcknowledged, _ record: NaiveRecord
  ) {
    endRefusedSavings(before: operation, event)
    guard let object = objects[operation.name] else { return }
    let isMet =
      object.base.map { base in
        named(operation.wish, among: base.ids(.tags)).isMet(by: base, object.objectClass)
      } ?? false
    let isFirst = overtaken(by: operation).isEmpty
    let isOwn = ownedField(operation) != nil
    if !isOwn, let version = event.version, let base = object.version, base > version {
      overtake(by: operation)
      return end(operations.filter { isSame($0, operation) })
    }
    if event.version != nil || (isMet && isFirst) || operation.wish.isSaving
      || operation.wish.isAttachment || isOwn
    {
      return settleAtOnce(operation, event, record)
    }
    for index in operations.indices where isSame(operations[index], operation) {
      operations[index].state = .acknowledged
      operations[index].acknowledgement = NaiveOperation.Acknowledgement(
        number: record.number, time: record.now, baseVersion: object.version)
    }
  }

  /// Ends the refused savings of a draft before one that was performed (36).
  private mutating func endRefusedSavings(
    before operation: NaiveOperation, _ event: OperationAcknowledged
  ) {
    guard operation.wish.isSaving || operation.wish.isAttachment, operation.objectClass == .draft
    else { return }
    let known = objects[operation.name]?.version
    let isOver = event.version.flatMap { version in known.map { $0 > version } } ?? false
    let refused = operations(on: operation.name).filter {
      $0.wish != .send && $0.state == .rejected && $0.intent < operation.intent
    }
    for other in refused {
      if isOver { end([other]) } else { settle(other, wasTold: false) }
    }
  }

  /// Returns the field of a rich message that belongs to the device once the operation is
  /// acknowledged.
  private func ownedField(_ operation: NaiveOperation) -> ObjectField? {
    guard operation.name.objectClass == .rich else { return nil }
    switch operation.wish {
    case .read: return policy.readOwner == .server ? nil : .isRead
    case .delete: return policy.deletionSticks ? .isDeleted : nil
    default: return nil
    }
  }

  /// Puts the operation's wish into the base, with the version of the acknowledgement, which counts
  /// as a report of the object (12).
  mutating func settleAtOnce(
    _ operation: NaiveOperation, _ event: OperationAcknowledged, _ record: NaiveRecord
  ) {
    let wasTold = wasTold(operation, record)
    objects[operation.name]?.toldAt = record.number
    settle(operation, wasTold: wasTold)
    if let version = event.version, let object = objects[operation.name] {
      objects[operation.name]?.version = max(version, object.version ?? version)
    }
    if let field = ownedField(operation) { objects[operation.name]?.owned.insert(field) }
  }

  /// Puts the operation's wish into the bases, and ends the operation.
  private mutating func settle(_ operation: NaiveOperation, wasTold: Bool) {
    overtake(by: operation)
    guard let object = objects[operation.name] else { return }
    let thread = object.objectClass == .message ? self.thread(of: object) : nil
    var base = objects[operation.name]?.base ?? NaiveFields()
    operation.wish.apply(to: &base, object.objectClass)
    objects[operation.name]?.setBase(base)
    settleMessages(operation)
    if !wasTold, let thread { settleMarking(operation, of: thread) }
    end(operations.filter { isSame($0, operation) })
  }

  /// Returns whether a message was reported as it is marked before the answer (21).
  private func wasTold(_ operation: NaiveOperation, _ record: NaiveRecord) -> Bool {
    guard case .read(let isRead) = operation.wish, let object = objects[operation.name] else {
      return false
    }
    return object.base?.flag(.isUnread) == !isRead
      && object.toldAt < record.exchange ?? record.number
  }

  /// Rule 21: changes the base of a message's thread by what the bases of its messages are now.
  private mutating func settleMarking(_ operation: NaiveOperation, of name: ObjectName) {
    guard case .read(let isRead) = operation.wish, policy.couplesUnread,
      let message = objects[operation.name], let thread = objects[name]
    else { return }
    guard isRead else { return raiseUnread(message, isNew: false) }
    let isAllRead = thread.messageIDs.allSatisfy { id in
      guard let message = objects[canonical(.message, id)], message.objectClass == .message else {
        return false
      }
      return servedThread(of: message) == name && message.base?.flag(.isUnread) != true
    }
    let lost = isAllRead ? ["unseen", "unread"] : ["unseen"]
    objects[name]?.base?.changeTags(.thread, removing: lost, adding: [])
  }

  private mutating func settleMessages(_ operation: NaiveOperation) {
    let read = objects(.message).filter { reads(operation, $0) }
    for message in read {
      objects[message.name]?.base?[.isUnread] = .boolean(false)
    }
  }

  /// Ends operations that a fact echoes or supersedes.
  mutating func settle(by news: NaiveNews, about name: ObjectName, _ record: NaiveRecord) {
    guard let object = objects[name] else { return }
    var echoed: [NaiveOperation] = []
    let ended = operations.filter { operation in
      guard operation.name == name, operation.state == .acknowledged,
        let acknowledgement = operation.acknowledgement,
        record.wasAsked(after: acknowledgement.number)
      else { return false }
      let base = object.base ?? NaiveFields()
      let wish = named(operation.wish, among: (news.said[.tags] ?? nil)?.list ?? [])
      let answers = wish.answers(in: news, object.objectClass, base)
      let isEcho = !answers.isEmpty && answers.allSatisfy { $0 == true }
      let isOther = answers.contains(false)
      if isEcho { echoed.append(operation) }
      return isEcho || (isOther && (policy.readsOwnWrites || isNewer(news, acknowledgement)))
    }
    for operation in ended {
      overtake(by: operation)
      if echoed.contains(operation) { settleMessages(operation) }
    }
    // Overtaken operations want less by now.
    end(operations.filter { operation in ended.contains { isSame($0, operation) } })
  }

  private func isNewer(
    _ news: NaiveNews, _ acknowledgement: NaiveOperation.Acknowledgement
  ) -> Bool {
    guard let version = news.version, let base = acknowledgement.baseVersion else { return false }
    return version > base
  }
}

// Events of the clock (3, 37, 40).
extension NaiveAccount {
  mutating func tick(_ event: ClockTicked, _ record: NaiveRecord) {
    let now = record.now
    let ended = operations.filter { operation in
      guard operation.state == .acknowledged, let time = operation.acknowledgement?.time else {
        return operation.flushUntil.map { $0 <= now } ?? false
      }
      let interval = policy.settleInterval.milliseconds
      return interval != 0 && time.rawValue + interval <= now.rawValue
    }
    end(ended)
    if event.reason == .set { moveWaits(now) }
    for object in objects(.rich) where isDue(object, event, now) { ask(object.name, now) }
  }

  /// Lets what began later than now begin now.
  private mutating func moveWaits(_ now: Timestamp) {
    for index in operations.indices {
      if let since = operations[index].waitsSince, since > now {
        operations[index].waitsSince = now
        operations[index].heldUntil = operations[index].heldUntil?.moved(from: since, to: now)
      }
      if let since = operations[index].flushSince, since > now {
        operations[index].flushSince = now
        operations[index].flushUntil = operations[index].flushUntil?.moved(from: since, to: now)
      }
    }
  }

  private func isDue(_ object: NaiveObject, _ event: ClockTicked, _ now: Timestamp) -> Bool {
    let boundaries = [object.base?.time(.startDate), object.base?.time(.endDate)].compactMap(\.self)
    if event.reason == .set { return !boundaries.isEmpty }
    guard let asked = object.askedAt else { return !boundaries.isEmpty }
    return boundaries.contains { asked < $0 && $0 <= now }
  }

  /// Checks whether a rich message is active (40).
  mutating func ask(_ name: ObjectName, _ now: Timestamp) {
    guard let object = objects[name] else { return }
    let hasBegun = object.base?.time(.startDate).map { $0 <= now } ?? true
    let hasEnded = object.base?.time(.endDate).map { $0 <= now } ?? false
    objects[name]?.isActive = !policy.hasActiveWindow || (hasBegun && !hasEnded)
    objects[name]?.askedAt = now
  }
}

extension Timestamp {
  /// Returns a moment as long after `now` as it was after `since`.
  fileprivate func moved(from since: Timestamp, to now: Timestamp) -> Timestamp {
    Timestamp(rawValue: rawValue - since.rawValue + now.rawValue)
  }
}
