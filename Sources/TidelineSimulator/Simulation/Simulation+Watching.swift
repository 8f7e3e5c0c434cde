import EventStore
import Tideline

/// Random checks made at every step.
extension Simulation {
  /// Checks a few objects of a device.
  func watch(_ place: Int) throws {
    guard devices[place].login != nil else { return }
    let deleted = devices[place].ledger.deleted
    for _ in 0..<2 {
      guard let word = watches[place].dice.pick(deleted) else { break }
      try watch(word, place)
    }
    guard let mail else { return }
    for _ in 0..<6 {
      guard let spot = watches[place].dice.pick(devices[place].ledger.spots) else { break }
      try watch(spot, place)
    }
    let recent = mail.removed.suffix(3)
    for name in recent + [watches[place].dice.pick(mail.removed)].compactMap(\.self) {
      try watch(name, place)
    }
  }

  /// Checks that a tag used by one person alone is as that person left it.
  ///
  /// Of a thread that the server no longer has, a change may be refused that it has made before.
  private func watch(_ spot: Ledger.Spot, _ place: Int) throws {
    let device = devices[place]
    guard plan.manners.lateShare == 0,
      people[place][personPlace(place)].ownTags.contains(spot.tag),
      mail?.thread(spot.thread) != nil, !device.ledger.isLost(spot.thread),
      let word = device.ledger.shownWord(on: spot),
      let thread = try device.object(MailThread.self, spot.thread),
      thread.tagIDs.contains(spot.tag) != word
    else { return }
    violate(
      .shownAtOnce, "\(device.name): \(spot.tag) of \(spot.thread) is \(!word), against the word")
  }

  /// Checks that an object is not shown after a deletion that the server has not refused.
  private func watch(_ word: Ledger.Word<ObjectClass>, _ place: Int) throws {
    let device = devices[place]
    guard try device.shows(ObjectName(word.wanted, word.item)) else { return }
    violate(.staysDeleted, "\(device.name) shows \(word.wanted) \(word.item), which was deleted")
  }

  /// Checks that a removed object is not shown again.
  private func watch(_ name: ObjectName, _ place: Int) throws {
    let isShown = try devices[place].shows(name)
    switch (watches[place].sightings[name], isShown) {
    case (nil, true): watches[place].sightings[name] = .shown
    case (.shown, false): watches[place].sightings[name] = .ceased
    case (.ceased, true):
      let device = devices[place]
      if try device.isKept(name.id) || mail?.has(device.latestName(of: name)) == true { return }
      violate(.staysDeleted, "\(devices[place].name) shows \(name.line) again")
    default: break
    }
  }
}

extension SimulatedDevice {
  /// Returns an object, if it is visible.
  func object<Object: Model>(_ type: Object.Type, _ id: String) throws -> Object? {
    try store.views.object(type, id, of: account)
  }

  /// Whether a removed object may show until the device learns of the removal: its deletion here
  /// was refused, or it is a draft whose answer was lost, so that only the open operations on it
  /// tell what it is.
  func isKept(_ id: String) throws -> Bool {
    let id = ledger.localID(of: id)
    return try ledger.isKept(id) || open.contains { $0.id == id }
  }

  /// Returns the latest name of an object; one that was deleted and saved again has a new id, to
  /// which the old one leads.
  func latestName(of name: ObjectName) -> ObjectName {
    ObjectName(name.objectClass, ledger.serverID(of: ledger.localID(of: name.id)))
  }

  /// Whether a removed object keeps a text or a file that was neither saved nor sent.
  func isSaving(_ id: String) throws -> Bool {
    let id = ledger.localID(of: id)
    return try open.contains {
      $0.id == id && [.saveDraft, .attachFile, .sendDraft].contains($0.kind)
    }
  }

  /// Whether an object is visible.
  func shows(_ name: ObjectName) throws -> Bool {
    switch name.objectClass {
    case .thread: try object(MailThread.self, name.id) != nil
    case .message: try object(Message.self, name.id) != nil
    case .draft: try object(Draft.self, name.id) != nil
    case .rich: try object(RichMessage.self, name.id)?.isDeleted == false
    default: false
    }
  }
}
