import EventStore
public import Observation

/// An object, for views that observe their data: `nil` while no such object is shown.
@MainActor
@Observable
public final class LiveObject<Object: Model> {
  /// The object.
  public private(set) var object: Object?
  private let row: LiveRow

  /// Creates a live object from an id, which need not be known yet.
  ///
  /// - Throws: `StoreError`.
  public init(_ type: Object.Type, _ id: String, in inbox: Inbox) throws {
    let row = try inbox.store.core.watch(
      Object.rowID(of: id, inbox.account), in: Object.collection)
    self.row = row
    object = row.start.row.flatMap(Object.init)
    let changes = row.changes
    Task { [weak self] in
      for await change in changes {
        guard let self else { return }
        let new = change.new.flatMap(Object.init)
        if new != object { object = new }
      }
    }
  }

  deinit { row.end() }
}
