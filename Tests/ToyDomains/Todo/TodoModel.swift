package import EventStore

/// A to-do list's events, folded into dictionaries.
package struct TodoModel: ToyModel {
  private let views: TodoViews
  private var tasks: [String: TodoTask] = [:]
  private var lists: [String: TodoList] = [:]
  /// The targets of other ids.
  private var aliases: [String: String] = [:]
  private var rows = PlainRows<TodoTask>()

  package init(views: TodoViews) { self.views = views }

  package var definitions: [ViewDefinition] { views.definitions }

  package mutating func rows(in view: String, group: String?) -> [Row] {
    guard let view = views.ofTasks.first(where: { $0.name == view }) else {
      return listItems(in: view, group: group).map(\.row)
    }
    return view.items(of: tasks.values, in: group).map { rows.row(of: $0) }
  }

  private func listItems(in view: String, group: String?) -> [TodoList] {
    guard let view = views.ofLists.first(where: { $0.name == view }) else { return [] }
    return view.items(of: countedLists, in: group)
  }

  package func groups(of view: String) -> [String?] {
    guard let view = views.ofTasks.first(where: { $0.name == view }) else { return [nil] }
    return view.groups(of: tasks.values)
  }

  package func row(_ id: String) -> Row? { tasks[canonical(id)]?.row }

  /// The lists with the number of their open tasks.
  private var countedLists: [TodoList] {
    lists.values.map { list in
      var list = list
      list.openCount = tasks.values.count { $0.isOpen && $0.list == list.id }
      return list
    }
  }

  package mutating func apply(_ happening: TodoHappening, _ number: RecordNumber) -> Bool {
    switch happening {
    case .put(let id, let patch): put(id, patch, number)
    case .finish(let id, let isDone): change(id) { $0.isDone = isDone }
    case .delete(let id): delete(id)
    case .tag(let id, let tag): change(id) { $0.tag(tag) }
    case .untag(let id, let tag): change(id) { $0.untag(tag) }
    case .move(let id, let list): move(id, list)
    case .rename(let id, let other): rename(id, other)
    case .name(let id, let name): self.name(id, name)
    case .finishAll(let id): finishAll(id)
    case .number(let id): self.number(id)
    case .finishEverything(let id): finishEverything(but: id)
    case .rate(let view, let priority): rate(view, priority)
    case .deleteList(let id): deleteList(id)
    case .spoil: false
    case .unknown: true
    }
  }
}

// Single tasks.
extension TodoModel {
  /// Returns the id under which a task is kept.
  private func canonical(_ id: String) -> String {
    var id = id
    while let other = aliases[id] { id = other }
    return id
  }

  private static func isID(_ id: String) -> Bool { 1...RowFormat.idBytesMax ~= id.utf8.count }

  private mutating func put(
    _ id: String, _ patch: TodoPatch, _ number: RecordNumber
  ) -> Bool {
    guard Self.isID(id), !patch.isTooLarge else { return false }
    let id = canonical(id)
    var task = tasks[id] ?? TodoTask(id)
    patch.apply(to: &task, number)
    set(task)
    enter(task)
    return true
  }

  private mutating func change(_ id: String, _ body: (inout TodoTask) -> Void) -> Bool {
    guard var task = tasks[canonical(id)] else { return false }
    body(&task)
    set(task)
    return true
  }

  private mutating func set(_ task: TodoTask) {
    tasks[task.id] = task
    rows.forget(task.id)
  }

  private mutating func delete(_ id: String) -> Bool {
    tasks[canonical(id)] = nil
    rows.forget(canonical(id))
    return true
  }

  private mutating func move(_ id: String, _ list: String?) -> Bool {
    guard var task = tasks[canonical(id)] else { return false }
    task.list = list
    set(task)
    enter(task)
    return true
  }

  private mutating func rename(_ id: String, _ other: String) -> Bool {
    guard tasks[canonical(id)] != nil, tasks[canonical(other)] == nil, Self.isID(other) else {
      return false
    }
    aliases[other] = canonical(id)
    return true
  }
}

// Lists.
extension TodoModel {
  private mutating func enter(_ task: TodoTask) {
    guard let id = task.list else { return }
    var list = lists[id] ?? TodoList(id)
    if let due = task.due { list.lastDue = max(due, list.lastDue ?? due) }
    lists[id] = list
  }

  private mutating func name(_ id: String, _ name: String?) -> Bool {
    guard Self.isID(id) else { return false }
    lists[id, default: TodoList(id)].name = name
    return true
  }

  private mutating func finishAll(_ id: String) -> Bool {
    guard lists[id] != nil else { return false }
    for task in tasks(of: id) { _ = change(task.id) { $0.isDone = true } }
    return true
  }

  private mutating func finishEverything(but id: String) -> Bool {
    for task in tasks.values where task.isOpen { _ = change(task.id) { $0.isDone = true } }
    _ = change(id) { $0.isDone = false }
    return true
  }

  private mutating func rate(_ view: String, _ priority: Int?) -> Bool {
    guard let view = views.ofTasks.first(where: { $0.name == view && !$0.isGrouped }) else {
      return true
    }
    for task in view.items(of: tasks.values, in: nil) {
      _ = change(task.id) { $0.priority = priority }
    }
    return true
  }

  private mutating func number(_ id: String) -> Bool {
    for (index, task) in tasks(of: id).enumerated() {
      _ = change(task.id) { $0.priority = index }
    }
    return true
  }

  private mutating func deleteList(_ id: String) -> Bool {
    guard lists[id] != nil else { return true }
    for task in tasks(of: id) { _ = delete(task.id) }
    lists[id] = nil
    return true
  }

  private func tasks(of list: String) -> [TodoTask] {
    views.list.items(of: tasks.values, in: list)
  }
}

extension TodoPatch {
  /// Whether the title fits into no row.
  var isTooLarge: Bool {
    guard case .set(let title) = title else { return false }
    return title.utf8.count > RowFormat.byteCountMax
  }

  fileprivate func apply(to task: inout TodoTask, _ number: RecordNumber) {
    title.apply(to: &task.title)
    due.apply(to: &task.due)
    isDone.apply(to: &task.isDone)
    priority.apply(to: &task.priority)
    list.apply(to: &task.list)
    note.apply(to: &task.note)
    if note != .keep { task.noteRecord = number }
    switch tags {
    case .keep: break
    case .clear: task.tags = nil
    case .set(let tags):
      task.tags = []
      for tag in tags { task.tag(tag) }
    }
  }
}
