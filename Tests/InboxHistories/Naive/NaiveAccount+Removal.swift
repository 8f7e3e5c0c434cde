import EventStore
import Tideline

// How objects end (11 to 13, 33 to 36).
extension NaiveAccount {
  /// A fact that an object is no more (9, 11).
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

  /// Rule 11: what has an open saving stays as a draft, unless the person deleted it.
  mutating func removeByServer(
    _ name: ObjectName, version: Int64?, _ record: NaiveRecord, isOfDraft: Bool,
    isServers: Bool = true
  ) {
    let open = operations(on: name)
    let isKept =
      name.objectClass == .message && open.contains { $0.wish.isSaving }
      && !open.contains { $0.wish == .delete }
    bury(name, version: version, record, isServers: isServers, isOfDraft: isOfDraft)
    guard isKept else { return remove(name) }
    operations.removeAll { $0.name == name && !$0.wish.isSaving }
    objects[name]?.objectClass = .draft
    keepBaseInFirstSaving(of: name)
    objects[name]?.base = nil
    objects[name]?.version = nil
    objects[name]?.isSent = false
  }

  /// The first saving of a draft says what the base said and it doesn't (11).
  private mutating func keepBaseInFirstSaving(of name: ObjectName) {
    guard let base = objects[name]?.base,
      let index = operations.firstIndex(where: { $0.name == name }),
      case .save(var news) = operations[index].wish
    else { return }
    // That there are none of something is not said.
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

  /// The object is gone, and what was wanted of it.
  mutating func remove(_ name: ObjectName) {
    if let object = objects[name] { unlist(object) }
    objects[name] = nil
    operations.removeAll { $0.name == name }
  }

  /// Ends operations as if they had not been; what is there only through them goes with them (33).
  mutating func end(_ ended: [NaiveOperation]) {
    operations.removeAll { ended.contains($0) }
    for name in ended.map(\.name) {
      if let object = objects[name], object.base == nil, operations(on: name).isEmpty {
        objects[name] = nil
      }
    }
  }
}
