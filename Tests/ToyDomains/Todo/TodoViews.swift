package import EventStore

/// The views of a to-do list.
package struct TodoViews: Sendable {
  /// The views of tasks.
  package var ofTasks: [PlainView<TodoTask>]
  /// The views of lists.
  package var ofLists: [PlainView<TodoList>]

  /// The definitions of all views.
  package var definitions: [ViewDefinition] {
    ofTasks.map(\.definition) + ofLists.map(\.definition)
  }
  /// The view of a list's tasks, which the reducer itself needs.
  let list = Self.list

  /// The name of the view of a list's tasks.
  static let listName = "list"
  /// The names of the views of all open tasks and of all lists, which the reducer needs too.
  static let openName = "open", listsName = "lists"
  /// The names of views that may have no groups, and are the same in all builds.
  static let ungroupedNames = [openName, "urgency", "random 0", "random 1", "random 2"]
  /// The tasks that are not done.
  static let open = PlainView(
    openName, of: Todo.tasks, where: PlainTask.isDone != true,
    orderedBy: [PlainTask.due.ascending])
  fileprivate static let list = PlainView(
    listName, of: Todo.tasks, orderedBy: [PlainTask.due.descending, PlainTask.title.ascending],
    groupedBy: PlainTask.list.groups)
}

extension Todo {
  /// The usual views as another build has them: one is defined differently.
  package static let otherViews: TodoViews = {
    var views = Todo.views
    views.ofTasks.removeAll { $0.name == "titles" }
    views.ofTasks.append(
      PlainView(
        "titles", of: tasks, where: PlainTask.isDone != true,
        orderedBy: [PlainTask.title.descending]))
    return views
  }()
}

/// A task's fields, which define the views.
enum PlainTask {
  static let title = PlainField<TodoTask, String>(Todo.title) { $0.title }
  static let due = PlainField<TodoTask, Timestamp>(Todo.due) { $0.due }
  static let isDone = PlainField<TodoTask, Bool>(Todo.isDone) { $0.isDone }
  static let priority = PlainField<TodoTask, Int>(Todo.priority) { $0.priority }
  static let tags = PlainField<TodoTask, [String]>(Todo.tags) { $0.tags }
  static let list = PlainField<TodoTask, String>(Todo.list) { $0.list }
}

/// A list's fields.
enum PlainList {
  static let name = PlainField<TodoList, String>(Todo.name) { $0.name }
  static let openCount = PlainField<TodoList, Int>(Todo.openCount) { $0.openCount }
  static let lastDue = PlainField<TodoList, Timestamp>(Todo.lastDue) { $0.lastDue }
}

extension Todo {
  /// Tasks by tag, open tasks, tasks by title, by urgency and by list; and the lists.
  package static let views = TodoViews(
    ofTasks: [
      PlainView(
        "tagged", of: tasks, orderedBy: [PlainTask.due.descending],
        groupedBy: PlainTask.tags.groups),
      TodoViews.open,
      PlainView("titles", of: tasks, orderedBy: [PlainTask.title.ascending]),
      PlainView(
        "urgency", of: tasks, orderedBy: [PlainTask.priority.descending, PlainTask.due.ascending]),
      TodoViews.list,
    ],
    ofLists: [
      PlainView(TodoViews.listsName, of: lists, orderedBy: [PlainList.name.ascending]),
      PlainView(
        "recent", of: lists, where: PlainList.openCount > 0,
        orderedBy: [PlainList.lastDue.descending]),
    ])
}
