import EventStore

/// What the toys predict about an event, by its number: a right id, a wrong one, or none.
enum Foresight {
  /// Predicts the id that an event is going to look up.
  static func tell(
    _ id: String, in collection: RowCollection, of event: borrowing RecordView,
    _ names: inout ExpectedNames
  ) {
    switch event.number.rawValue % 5 {
    case 0: break
    case 1:
      names.expect("no \(id)", in: collection)
      names.expect("", in: collection)
      names.expect(id, in: foreign)
    default: names.expect(id, in: collection)
    }
  }

  /// A collection that no toy has.
  private static let foreign = RowCollection("foreign", number: 255)
}

extension TodoHappening {
  /// Calls `body` with the ids that the event looks up first.
  func forEachID(_ body: (String, RowCollection) -> Void) {
    switch self {
    case .put(let id, let patch):
      body(id, Todo.tasks)
      if case .set(let list) = patch.list { body(list, Todo.lists) }
    case .move(let id, let list):
      body(id, Todo.tasks)
      if let list { body(list, Todo.lists) }
    case .finish(let id, _), .delete(let id), .tag(let id, _), .untag(let id, _), .spoil(let id),
      .rename(let id, _), .finishEverything(let id):
      body(id, Todo.tasks)
    case .name(let id, _), .finishAll(let id), .number(let id), .deleteList(let id):
      body(id, Todo.lists)
    case .rate, .unknown: break
    }
  }
}

extension PlayerHappening {
  /// The id of the player that the event is about.
  var player: String? {
    switch self {
    case .join(let id, _), .score(let id, _), .rename(let id, _), .rate(let id, _),
      .retire(let id, _), .leave(let id):
      id
    case .reset, .unknown: nil
    }
  }
}
