package import EventStore
import LMDB

/// The reducer of a to-do list.
package struct TodoRules: Reducer {
  package let version: Int
  package let views: [ViewDefinition]

  package var collections: [RowCollection] { [Todo.tasks, Todo.lists] }

  package func reduce(
    _ event: borrowing RecordView, into state: inout ReducerState
  ) throws(Refusal) {
    let happening: TodoHappening
    do throws(PayloadError) {
      happening = try TodoHappening(event.header.kind, event.payload)
    } catch {
      throw Refusal("\(error)")
    }
    try reduce(happening, event.number, into: &state)
  }

  package func expect(_ event: borrowing RecordView, _ names: inout ExpectedNames) {
    guard let happening = try? TodoHappening(event.header.kind, event.payload) else { return }
    happening.forEachID { id, collection in
      Foresight.tell(id, in: collection, of: event, &names)
    }
  }

  private func reduce(
    _ happening: TodoHappening, _ number: RecordNumber, into state: inout ReducerState
  ) throws(Refusal) {
    switch happening {
    case .put(let id, let patch): try put(id, patch, number, &state)
    case .finish(let id, let isDone):
      try change(id, &state) { row in row[Todo.isDone] = isDone }
    case .delete(let id): delete(id, &state)
    case .tag(let id, let tag):
      try change(id, &state) { row in row[Todo.tags] = (row[Todo.tags] ?? []) + [tag] }
    case .untag(let id, let tag):
      try change(id, &state) { row in
        row[Todo.tags] = row[Todo.tags]?.filter { !$0.hasSameBytes(as: tag) }
      }
    case .move(let id, let list): try move(id, list, &state)
    case .rename(let id, let other): try rename(id, other, &state)
    case .name(let id, let name): try self.name(id, name, &state)
    case .finishAll(let id): try finishAll(id, &state)
    case .number(let id): try self.number(id, &state)
    case .finishEverything(let id): finishEverything(but: id, &state)
    case .rate(let view, let priority): rate(view, priority, &state)
    case .deleteList(let id): deleteList(id, &state)
    case .spoil(let id): try spoil(id, &state)
    case .unknown: break
    }
  }
}

// Single tasks.
extension TodoRules {
  private func put(
    _ id: String, _ patch: TodoPatch, _ number: RecordNumber, _ state: inout ReducerState
  ) throws(Refusal) {
    let task = try state.row(id, in: Todo.tasks)
    leave(task, &state)
    try state.edit(task) { row in patch.apply(to: &row, number) }
    try enter(task, &state)
  }

  private func change(
    _ id: String, _ state: inout ReducerState, _ body: (inout MutableRow) -> Void
  ) throws(Refusal) {
    let task = try existing(id, &state)
    leave(task, &state)
    try state.edit(task, body)
    count(task, 1, &state)
  }

  private func delete(_ id: String, _ state: inout ReducerState) {
    guard let task = state.find(id, in: Todo.tasks) else { return }
    leave(task, &state)
    state.delete(task)
  }

  private func move(_ id: String, _ list: String?, _ state: inout ReducerState) throws(Refusal) {
    let task = try existing(id, &state)
    leave(task, &state)
    state[task, Todo.list] = list
    try enter(task, &state)
  }

  private func rename(_ id: String, _ other: String, _ state: inout ReducerState) throws(Refusal) {
    let task = try existing(id, &state)
    guard state.find(other, in: Todo.tasks) == nil else { throw Refusal("the id is taken") }
    try state.alias(other, to: task)
  }

  /// Finishes everything, changes a task, restores one, takes a list's name, and then refuses the
  /// event.
  private func spoil(_ id: String, _ state: inout ReducerState) throws(Refusal) {
    state.set(Todo.isDone, to: true, inAll: TodoViews.openName)
    state.set(Todo.openCount, to: 0, inAll: TodoViews.listsName)
    let task = try state.row(id, in: Todo.tasks)
    state[task, Todo.title] = "spoiled"
    state[task, Todo.due] = nil
    let list = try state.row("spoiled", in: Todo.lists)
    state[list, Todo.name] = "spoiled"
    state[list, Todo.openCount] = 7
    try state.alias("spoiled \(id)", to: task)
    state.delete(task)
    throw Refusal("it was spoiled")
  }

  private func existing(_ id: String, _ state: inout ReducerState) throws(Refusal) -> RowHandle {
    guard let task = state.find(id, in: Todo.tasks) else { throw Refusal("there is no such task") }
    return task
  }
}

// Lists.
extension TodoRules {
  /// Removes a task from its list's count.
  private func leave(_ task: RowHandle, _ state: inout ReducerState) { count(task, -1, &state) }

  private func count(_ task: RowHandle, _ change: Int, _ state: inout ReducerState) {
    guard state[task, Todo.isDone] != true,
      let list = state.link(Todo.listRow, of: task, to: Todo.lists)
    else { return }
    state[list, Todo.openCount] = (state[list, Todo.openCount] ?? 0) + change
  }

  /// Links a task to the list that it names, and counts the task there.
  private func enter(_ task: RowHandle, _ state: inout ReducerState) throws(Refusal) {
    guard let id = state[task, Todo.list] else {
      state[task, Todo.listRow] = nil
      return
    }
    let list = try self.list(id, &state)
    state[task, Todo.listRow] = list.row
    count(task, 1, &state)
    guard let due = state[task, Todo.due] else { return }
    state[list, Todo.lastDue] = max(due, state[list, Todo.lastDue] ?? due)
  }

  /// Finds or makes a list.
  private func list(_ id: String, _ state: inout ReducerState) throws(Refusal) -> RowHandle {
    if let list = state.find(id, in: Todo.lists) { return list }
    let list = try state.row(id, in: Todo.lists)
    state[list, Todo.openCount] = 0
    return list
  }

  private func name(_ id: String, _ name: String?, _ state: inout ReducerState) throws(Refusal) {
    let list = try list(id, &state)
    state[list, Todo.name] = name
  }

  private func finishAll(_ id: String, _ state: inout ReducerState) throws(Refusal) {
    guard let list = state.find(id, in: Todo.lists) else { throw Refusal("there is no such list") }
    for task in tasks(of: id, &state) { state[task, Todo.isDone] = true }
    state[list, Todo.openCount] = 0
  }

  private func finishEverything(but id: String, _ state: inout ReducerState) {
    state.set(Todo.isDone, to: true, inAll: TodoViews.openName)
    state.set(Todo.openCount, to: 0, inAll: TodoViews.listsName)
    guard let task = state.find(id, in: Todo.tasks) else { return }
    state[task, Todo.isDone] = false
    count(task, 1, &state)
  }

  private func rate(_ view: String, _ priority: Int?, _ state: inout ReducerState) {
    let isThere = views.contains {
      $0.name == view && $0.grouping == nil && $0.collection.number == Todo.tasks.number
    }
    if isThere { state.set(Todo.priority, to: priority, inAll: view) }
  }

  private func number(_ id: String, _ state: inout ReducerState) throws(Refusal) {
    for (index, task) in tasks(of: id, &state).enumerated() {
      state[task, Todo.priority] = index
    }
  }

  private func tasks(of list: String, _ state: inout ReducerState) -> [RowHandle] {
    state.rows(in: ListName(TodoViews.listName, group: .text(list)))
  }

  private func deleteList(_ id: String, _ state: inout ReducerState) {
    guard let list = state.find(id, in: Todo.lists) else { return }
    for task in tasks(of: id, &state) { state.delete(task) }
    state.delete(list)
  }
}

extension TodoPatch {
  /// Changes a row, but leaves untouched what stays.
  fileprivate func apply(to row: inout MutableRow, _ number: RecordNumber) {
    title.apply(to: &row[Todo.title])
    due.apply(to: &row[Todo.due])
    isDone.apply(to: &row[Todo.isDone])
    priority.apply(to: &row[Todo.priority])
    tags.apply(to: &row[Todo.tags])
    list.apply(to: &row[Todo.list])
    switch note {
    case .keep: break
    case .clear: row[Todo.note] = nil
    case .set(let text):
      row[Todo.note] = TextReference(
        record: number, field: TodoHappening.noteNumber, content: Array(text.utf8).raw)
    }
  }
}
