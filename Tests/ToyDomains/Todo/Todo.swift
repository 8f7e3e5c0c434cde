package import EventStore

/// A to-do list: tasks with tags, in lists that count them.
package enum Todo: Toy {
  package typealias Model = TodoModel
  package typealias Mix = TodoMix

  package static var collection: RowCollection { tasks }

  /// The tasks.
  package static let tasks = RowCollection(
    "tasks", number: 1, title, due, isDone, priority, tags, list, note, listRow)
  /// The task's title.
  package static let title = Field<String>("title", 1)
  /// The task's due time.
  package static let due = Field<Timestamp>("due", 2)
  /// Whether the task is done.
  package static let isDone = Field<Bool>("isDone", 3)
  /// The task's urgency.
  package static let priority = Field<Int>("priority", 5)
  /// The tags.
  package static let tags = Field<[String]>("tags", 6)
  /// The id of the task's list.
  package static let list = Field<String>("list", 7)
  /// A longer text, which stays in the log.
  package static let note = Field<TextReference>("note", 9)
  /// The row of the task's list.
  package static let listRow = Field<RowID>("listRow", 12)

  /// The lists.
  package static let lists = RowCollection("lists", number: 2, name, openCount, lastDue)
  /// The list's name.
  package static let name = Field<String>("name", 1)
  /// The number of open tasks in the list.
  package static let openCount = Field<Int>("openCount", 2)
  /// The latest due time of a task when it was put or moved into the list.
  package static let lastDue = Field<Timestamp>("lastDue", 3)

  /// Returns the reducer that maintains these views.
  package static func rules(_ views: TodoViews, version: Int = 1) -> TodoRules {
    TodoRules(version: version, views: views.definitions)
  }
}
