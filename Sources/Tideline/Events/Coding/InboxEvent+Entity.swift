extension ObjectFact {
  /// The object.
  package var entity: ObjectName? { fields.id.map { ObjectName(objectClass, $0) } }
}

extension AlertArrived {
  /// The message.
  package var entity: ObjectName? { message.id.map { ObjectName(.rich, $0) } }
}

extension AlertOpened {
  /// The message.
  package var entity: ObjectName? { ObjectName(.rich, id) }
}

extension MarkRead {
  /// The things.
  package var names: [ObjectName] { ids.map { ObjectName(objectClass, $0) } }
  /// The thing, where it is one only.
  package var entity: ObjectName? { names.only }
}

extension ChangeTags {
  /// The things.
  package var names: [ObjectName] { ids.map { ObjectName(objectClass, $0) } }
  /// The thing, where it is one only.
  package var entity: ObjectName? { names.only }
}

extension DeleteObjects {
  /// The things.
  package var names: [ObjectName] { ids.map { ObjectName(objectClass, $0) } }
  /// The thing, where it is one only.
  package var entity: ObjectName? { names.only }
}

extension SaveDraft {
  /// The draft.
  package var entity: ObjectName? { draft.id.map { ObjectName(.draft, $0) } }
}

extension SendDraft {
  /// The draft.
  package var entity: ObjectName? { ObjectName(.draft, id) }
}

extension DeleteDraft {
  /// The draft.
  package var entity: ObjectName? { ObjectName(.draft, id) }
}

extension ContentStored {
  /// The file.
  package var entity: ObjectName? { ObjectName(.file, id) }
}

extension AddFile {
  /// The file.
  package var entity: ObjectName? { file.id.map { ObjectName(.file, $0) } }
}

extension SaveTag {
  /// The tag.
  package var entity: ObjectName? { tag.id.map { ObjectName(.tag, $0) } }
}

extension IDReplaced {
  /// The thing under its old id, by which what came before is about it.
  package var entity: ObjectName? { ObjectName(objectClass, old) }
}

extension MessageOpened {
  /// The message.
  package var entity: ObjectName? { ObjectName(objectClass, id) }
}

extension MessageDownloaded {
  /// The message.
  package var entity: ObjectName? { ObjectName(objectClass, id) }
}

extension [ObjectName] {
  /// The name, where there is one only, however often.
  fileprivate var only: ObjectName? { dropFirst().allSatisfy { $0 == first } ? first : nil }
}
