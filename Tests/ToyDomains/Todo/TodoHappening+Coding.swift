package import EventStore

/// The numbers of a payload's fields.
private enum Number {
  static let id = 1
  static let title = 2
  static let due = 3
  static let isDone = 4
  static let priority = 5
  static let tags = 6
  static let list = 7
  static let note = 8
  static let other = 9
}

extension TodoHappening {
  /// The number of the payload's field for a task's note.
  static let noteNumber = UInt16(Number.note)

  package func write(to writer: inout PayloadWriter) {
    switch self {
    case .put(let id, let patch):
      writer.put(Number.id, id)
      patch.write(to: &writer)
    case .finish(let id, let isDone):
      writer.put(Number.id, id)
      writer.put(Number.isDone, isDone)
    case .delete(let id), .finishAll(let id), .number(let id), .deleteList(let id), .spoil(let id),
      .finishEverything(let id):
      writer.put(Number.id, id)
    case .tag(let id, let other), .untag(let id, let other), .rename(let id, let other):
      writer.put(Number.id, id)
      writer.put(Number.other, other)
    case .move(let id, let other), .name(let id, let other):
      writer.put(Number.id, id)
      if let other { writer.put(Number.other, other) } else { writer.putNull(Number.other) }
    case .rate(let view, let priority):
      writer.put(Number.id, view)
      if let priority { writer.put(Number.priority, priority) }
    case .unknown: break
    }
  }

  package init(_ kind: EventKind, _ payload: RawSpan) throws(PayloadError) {
    guard let known = Kind(rawValue: kind.rawValue) else {
      self = .unknown(kind.rawValue)
      return
    }
    self.init(known, try TodoPayload(payload))
  }

  private init(_ kind: Kind, _ payload: TodoPayload) {
    let (id, other) = (payload.id, payload.other)
    switch kind {
    case .put: self = .put(id, payload.patch)
    case .finish: self = .finish(id, payload.patch.isDone == .set(true))
    case .delete: self = .delete(id)
    case .tag: self = .tag(id, other ?? "")
    case .untag: self = .untag(id, other ?? "")
    case .move: self = .move(id, to: other)
    case .rename: self = .rename(id, to: other ?? "")
    case .name: self = .name(id, other)
    case .finishAll: self = .finishAll(id)
    case .number: self = .number(id)
    case .finishEverything: self = .finishEverything(but: id)
    case .rate: self = .rate(view: id, payload.patch.priority.value)
    case .deleteList: self = .deleteList(id)
    case .spoil: self = .spoil(id)
    }
  }
}

extension TodoPatch {
  fileprivate func write(to writer: inout PayloadWriter) {
    writer.put(Number.title, title) { $0.put(Number.title, $1) }
    writer.put(Number.due, due) { $0.put(Number.due, $1.rawValue) }
    writer.put(Number.isDone, isDone) { $0.put(Number.isDone, $1) }
    writer.put(Number.priority, priority) { $0.put(Number.priority, $1) }
    writer.put(Number.tags, tags) { writer, tags in
      writer.putList(Number.tags) { items in
        for tag in tags { items.append(tag) }
      }
    }
    writer.put(Number.list, list) { $0.put(Number.list, $1) }
    writer.put(Number.note, note) { $0.put(Number.note, $1) }
  }
}

/// All possible content of a payload, whatever the kind.
private struct TodoPayload {
  var id = ""
  var patch = TodoPatch()
  var other: String?

  init(_ payload: RawSpan) throws(PayloadError) {
    var reader = PayloadReader(payload)
    while let field = try reader.next() { try read(field) }
  }

  private mutating func read(_ field: borrowing PayloadReader.Field) throws(PayloadError) {
    switch field.number {
    case Number.id: id = try field.text
    case Number.title:
      patch.title = try field.patch { field throws(PayloadError) in try field.text }
    case Number.due:
      patch.due = try field.patch { field throws(PayloadError) in
        Timestamp(rawValue: try field.integer)
      }
    case Number.isDone:
      patch.isDone = try field.patch { field throws(PayloadError) in try field.boolean }
    case Number.priority:
      patch.priority = try field.patch { field throws(PayloadError) in Int(try field.integer) }
    case Number.tags: patch.tags = try field.patch { field throws(PayloadError) in try field.texts }
    case Number.list: patch.list = try field.patch { field throws(PayloadError) in try field.text }
    case Number.note: patch.note = try field.patch { field throws(PayloadError) in try field.text }
    case Number.other: other = field.isNull ? nil : try field.text
    default: break
    }
  }
}
