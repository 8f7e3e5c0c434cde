package import EventStore

/// A to-do list: tasks with tags, in lists that count them.
package enum Todo: Toy {
  package typealias Model = TodoModel
  package typealias Mix = TodoMix

  package static var collection: RowCollection { tasks }

  /// The tasks.
  package static let tasks = RowCollection(
    "tasks", number: 1, title, due, isDone, priority, tags, list, note, listRow)
  /// What it is called.
  package static let title = Field<String>("title", 1)
  /// When it is due.
  package static let due = Field<Timestamp>("due", 2)
  /// Whether it is done.
  package static let isDone = Field<Bool>("isDone", 3)
  /// How urgent it is.
  package static let priority = Field<Int>("priority", 5)
  /// Its tags.
  package static let tags = Field<[String]>("tags", 6)
  /// The id of the list that it is in.
  package static let list = Field<String>("list", 7)
  /// A longer text, which stays in the log.
  package static let note = Field<TextReference>("note", 9)
  /// The list that it is in.
  package static let listRow = Field<RowID>("listRow", 12)

  /// The lists.
  package static let lists = RowCollection("lists", number: 2, name, openCount, lastDue)
  /// What it is called.
  package static let name = Field<String>("name", 1)
  /// How many of its tasks are not done.
  package static let openCount = Field<Int>("openCount", 2)
  /// The latest that a task was due when it was put or moved into it.
  package static let lastDue = Field<Timestamp>("lastDue", 3)

  /// The reducer that keeps these views.
  package static func rules(_ views: TodoViews, version: Int = 1) -> TodoRules {
    TodoRules(version: version, views: views.definitions)
  }
}
