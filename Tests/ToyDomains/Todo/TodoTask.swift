package import EventStore
import LMDB

/// A task as a plain value.
package struct TodoTask: PlainItem {
  package let id: String
  var title: String?
  var due: Timestamp?
  var isDone: Bool?
  var priority: Int?
  /// In byte order, and no two with the same spelling.
  var tags: [String]?
  var list: String?
  var note: String?
  /// The record that holds the note.
  var noteRecord: RecordNumber = 0

  init(_ id: String) { self.id = id }

  var isOpen: Bool { isDone != true }

  package var row: Row {
    Row(plain: id, in: Todo.tasks) { row in
      row[Todo.title] = title
      row[Todo.due] = due
      row[Todo.isDone] = isDone
      row[Todo.priority] = priority
      row[Todo.tags] = tags
      row[Todo.list] = list
      row[Todo.note] = note.map { note in
        TextReference(
          record: noteRecord, field: TodoHappening.noteNumber, content: Array(note.utf8).raw)
      }
    }
  }

  mutating func tag(_ tag: String) {
    untag(tag)
    tags = ((tags ?? []) + [tag]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  mutating func untag(_ tag: String) { tags?.removeAll { $0.hasSameBytes(as: tag) } }
}

/// A list as a plain value.
package struct TodoList: PlainItem {
  package let id: String
  var name: String?
  var openCount = 0
  var lastDue: Timestamp?

  init(_ id: String) { self.id = id }

  package var row: Row {
    Row(plain: id, in: Todo.lists) { row in
      row[Todo.name] = name
      row[Todo.openCount] = openCount
      row[Todo.lastDue] = lastDue
    }
  }
}
