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
  /// The objects.
  package var names: [ObjectName] { ids.map { ObjectName(objectClass, $0) } }
  /// The object, if there is only one.
  package var entity: ObjectName? { names.only }
}

extension ChangeTags {
  /// The objects.
  package var names: [ObjectName] { ids.map { ObjectName(objectClass, $0) } }
  /// The object, if there is only one.
  package var entity: ObjectName? { names.only }
}

extension DeleteObjects {
  /// The objects.
  package var names: [ObjectName] { ids.map { ObjectName(objectClass, $0) } }
  /// The object, if there is only one.
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
  /// The object under its old id, under which earlier records refer to it.
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
  /// The name, if there is only one, possibly repeated.
  fileprivate var only: ObjectName? { dropFirst().allSatisfy { $0 == first } ? first : nil }
}
