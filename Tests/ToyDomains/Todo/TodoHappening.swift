package import EventStore

/// What can happen to a to-do list.
package enum TodoHappening: ToyHappening {
  /// A task is made, or some of it changes.
  case put(String, TodoPatch)
  /// A task is done, or not any more.
  case finish(String, Bool)
  /// A task goes.
  case delete(String)
  /// A task gets a tag.
  case tag(String, String)
  /// A task loses a tag.
  case untag(String, String)
  /// A task goes into a list, or out of all.
  case move(String, to: String?)
  /// A task has another id as well from now on.
  case rename(String, to: String)
  /// A list is made, or its name changes.
  case name(String, String?)
  /// All tasks of a list are done.
  case finishAll(String)
  /// The tasks of a list are numbered in the order of the view of lists: that is their priority.
  case number(String)
  /// All tasks are done, but for one.
  case finishEverything(but: String)
  /// All tasks of a view that has no groups are as urgent as each other.
  case rate(view: String, Int?)
  /// A list goes, with all that is in it.
  case deleteList(String)
  /// Much is changed, and the whole then refused.
  case spoil(String)
  /// Something that this reducer doesn't know.
  case unknown(UInt16)
}

/// What an event says of a task.
package struct TodoPatch: Hashable, Sendable {
  var title: Patch<String> = .keep
  var due: Patch<Timestamp> = .keep
  var isDone: Patch<Bool> = .keep
  var priority: Patch<Int> = .keep
  var tags: Patch<[String]> = .keep
  var list: Patch<String> = .keep
  var note: Patch<String> = .keep

  /// Nothing is said.
  package init() {}
}

extension TodoHappening {
  /// The kinds of events that the reducer knows.
  enum Kind: UInt16, CaseIterable {
    case put = 1
    case finish, delete, tag, untag, move, rename, name, finishAll, number, deleteList, spoil
    case finishEverything, rate
  }

  package var kind: EventKind {
    guard case .unknown(let raw) = self else { return EventKind(rawValue: known.rawValue) }
    return EventKind(rawValue: raw)
  }

  private var known: Kind {
    switch self {
    case .put: .put
    case .finish: .finish
    case .delete: .delete
    case .tag: .tag
    case .untag: .untag
    case .move: .move
    case .rename: .rename
    case .name: .name
    case .finishAll: .finishAll
    case .number: .number
    case .finishEverything: .finishEverything
    case .rate: .rate
    case .deleteList: .deleteList
    case .spoil: .spoil
    case .unknown: preconditionFailure("it is of no kind that is known")
    }
  }
}
