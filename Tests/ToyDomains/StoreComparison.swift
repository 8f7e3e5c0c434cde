package import EventStore
import LMDB

/// Compares a store of a toy with the plain model of its log.
package struct StoreComparison<T: Toy> {
  private let views: T.Model.Views
  /// The model of the log's records, as far as they were read.
  private var model: T.Model
  /// The number of records read.
  package private(set) var count = 0

  /// A comparison that has read nothing yet, of a store with these views.
  package init(_ views: T.Model.Views) {
    self.views = views
    model = T.Model(views: views)
  }

  /// Returns how the lists differ from the model's, or `nil` if they don't.
  ///
  /// It waits until the store shows the whole log. Records read by an earlier call are not read
  /// again.
  package mutating func difference(of store: Store) async throws -> String? {
    for _ in 0..<10_000 {
      guard try store.read({ $0.position.number }) != store.log.last else { break }
      try await Task.sleep(for: .milliseconds(1))
    }
    try read(store.log)
    return try store.read { snapshot in
      let shown = Int(snapshot.position.number.rawValue)
      guard shown == count else { return "the views go to \(shown), the log to \(count)" }
      for definition in model.definitions {
        if let difference = try difference(of: definition, in: snapshot) { return difference }
      }
      return nil
    }
  }

  private mutating func read(_ log: Log) throws {
    try log.read { [count] snapshot in
      var cursor = try snapshot.records(from: RecordNumber(rawValue: UInt64(count + 1)))
      while try cursor.next() {
        self.count += 1
        let kind = cursor.record.header.kind
        guard let happening = try? T.Model.Happening(kind, cursor.record.payload) else { continue }
        _ = model.apply(happening, cursor.number)
      }
    }
  }

  private mutating func difference(
    of definition: ViewDefinition, in snapshot: borrowing StoreSnapshot
  ) throws -> String? {
    let view = definition.name
    let isGrouped = definition.grouping != nil
    for group in model.groups(of: view) {
      let list = ListName(view, group: isGrouped ? ListName.Group(group) : nil)
      let rows = try snapshot.rows(of: list, in: 0...)
      guard rows == model.rows(in: view, group: group) else {
        return "\(view) \(group ?? "") differs at \(count)"
      }
    }
    return nil
  }
}
