package import EventStore

/// An event of a to-do list.
package enum TodoHappening: ToyHappening {
  /// A task is made, or some of it changes.
  case put(String, TodoPatch)
  /// A task is done, or no longer.
  case finish(String, Bool)
  /// A task is deleted.
  case delete(String)
  /// A task gets a tag.
  case tag(String, String)
  /// A task loses a tag.
  case untag(String, String)
  /// A task moves into a list, or out of all.
  case move(String, to: String?)
  /// A task gets another id in addition.
  case rename(String, to: String)
  /// A list is made, or its name changes.
  case name(String, String?)
  /// All tasks of a list are done.
  case finishAll(String)
  /// Each task of a list gets its position in the list's view as its priority.
  case number(String)
  /// All tasks but one are done.
  case finishEverything(but: String)
  /// All tasks of a view without groups get the same priority.
  case rate(view: String, Int?)
  /// A list is deleted, with all its tasks.
  case deleteList(String)
  /// Much is changed, and then the whole event is refused.
  case spoil(String)
  /// An event that this reducer doesn't know.
  case unknown(UInt16)
}

/// An event's changes to a task.
package struct TodoPatch: Hashable, Sendable {
  var title: Patch<String> = .keep
  var due: Patch<Timestamp> = .keep
  var isDone: Patch<Bool> = .keep
  var priority: Patch<Int> = .keep
  var tags: Patch<[String]> = .keep
  var list: Patch<String> = .keep
  var note: Patch<String> = .keep

  /// A patch without changes.
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
