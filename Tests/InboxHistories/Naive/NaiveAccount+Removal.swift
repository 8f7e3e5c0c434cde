import EventStore
import Tideline

// The removal of objects (11 to 13, 33 to 36).
extension NaiveAccount {
  /// Applies a fact that an object is gone (9, 11).
  mutating func deletion(
    _ name: ObjectName, _ objectClass: ObjectClass, _ fields: ObjectFields, _ record: NaiveRecord
  ) {
    let version = fields.integer(.version)
    if let object = objects[name] {
      if fields.change == .gone, !mayBeGone(object, record) { return }
      if let version, let base = object.version, version < base { return }
    }
    removeByServer(name, version: version, record, isOfDraft: objectClass == .draft)
  }

  /// Rule 12.
  private func mayBeGone(_ object: NaiveObject, _ record: NaiveRecord) -> Bool {
    guard object.toldAt <= record.askedBehind else { return false }
    if record.answer?.request == .object { return true }
    return object.base != nil
      && operations(on: object.name).allSatisfy { operation in
        operation.acknowledgement.map { $0.number <= record.askedBehind } ?? false
      }
  }

  /// Rule 11: an object with an open saving stays as a draft, unless the person deleted it and can
  /// no longer take that back.
  mutating func removeByServer(
    _ name: ObjectName, version: Int64?, _ record: NaiveRecord, isOfDraft: Bool,
    isServers: Bool = true
  ) {
    let open = operations(on: name)
    let isKept =
      name.objectClass == .message && open.contains { $0.wish.isSaving }
      && !open.contains { $0.wish == .delete && !$0.mayBeWithdrawn(at: record.now) }
    let isOwn = objects[name]?.owned.contains(.isDeleted) == true
    bury(name, version: version, record, isServers: isServers && !isOwn, isOfDraft: isOfDraft)
    guard isKept else { return remove(name) }
    operations.removeAll { operation in
      let stays =
        operation.wish.isSaving || operation.wish.isAttachment || operation.wish == .delete
        || operation.wish == .send
          && [.waiting, .deferred, .rejected].contains(operation.state)
      return operation.name == name && !stays
    }
    let isBeingSaved = open.contains { $0.wish.isSaving && $0.state == .started }
    for index in operations.indices
    where operations[index].name == name && operations[index].wish == .send && !isBeingSaved {
      operations[index].state = .rejected
    }
    objects[name]?.objectClass = .draft
    keepBaseInFirstSaving(of: name)
    objects[name]?.base = nil
    objects[name]?.version = nil
    objects[name]?.isSent = false
  }

  /// Adds to the first saving of a draft what the base says and the saving doesn't (11).
  private mutating func keepBaseInFirstSaving(of name: ObjectName) {
    guard let base = objects[name]?.base,
      let index = operations.firstIndex(where: { $0.name == name && $0.wish.isSaving }),
      case .save(var news) = operations[index].wish
    else { return }
    // Empty lists and unset flags are not added.
    let nothing: [NaiveValue] = [.ids([]), .boolean(false)]
    for (field, value) in base.values
    where news.said[field] == nil && !nothing.contains(value) {
      news.said[field] = value
    }
    operations[index].wish = .save(news)
  }

  /// Leaves a tombstone (13).
  mutating func bury(
    _ name: ObjectName, version: Int64?, _ record: NaiveRecord, isServers: Bool, isOfDraft: Bool
  ) {
    let known = objects[name]?.version
    tombstones[name] = NaiveTombstone(
      number: record.number, time: record.now, exchange: record.exchange,
      version: version.map { max($0, known ?? $0) }, isServers: isServers, isOfDraft: isOfDraft)
  }

  /// Removes an object, and the operations on it.
  mutating func remove(_ name: ObjectName) {
    if let object = objects[name] { unlist(object) }
    objects[name] = nil
    operations.removeAll { $0.name == name }
    leaveSavings(name)
  }

  /// Removes a file that only had an id of this device from what drafts are saved with (33).
  private mutating func leaveSavings(_ name: ObjectName) {
    for index in operations.indices
    where name.objectClass == .file && operations[index].wish.names(anyOf: [name.id]) {
      operations[index].wish.leave(name.id)
    }
  }

  /// Ends operations as if they had never existed; objects that exist only through them go with
  /// them (33).
  mutating func end(_ ended: [NaiveOperation]) {
    operations.removeAll { ended.contains($0) }
    for name in ended.map(\.name) {
      if let object = objects[name], object.base == nil, operations(on: name).isEmpty {
        objects[name] = nil
        leaveSavings(name)
      }
    }
  }
}
