import EventStore
import TestSupport
import ToyDomains

/// A watcher of a row, which compares each change with the history.
final class RowWatcher<Store: DrivenStore> {
  let id: String
  /// Whether the watcher asks for changes now and then, rather than being handed them.
  let isPulling: Bool
  private let inbox = Inbox<RowChange>()
  private let watched: Store.Watched
  /// The row that is shown.
  private(set) var row: Row?

  init(_ id: String, isPulling: Bool, in store: Store) async throws {
    self.id = id
    self.isPulling = isPulling
    let body: @Sendable (RowChange) -> Void = { [inbox] in inbox.put($0) }
    watched = try await store.watch(id, handing: isPulling ? nil : body)
    row = watched.first
  }

  func close() async { await watched.close() }

  /// Returns everything that was handed over.
  func taken() -> [RowChange] { inbox.takeAll() }

  /// Asks for a change, which must exist.
  func pulled() async throws -> RowChange {
    guard let change = try await watched.next() else {
      throw Discrepancy("\(id): the changes have ended")
    }
    return change
  }

  /// Compares a change with the history, and shows the row that it brings.
  func receive<Model>(_ change: RowChange, _ history: inout PlainHistory<Model>) throws {
    try require(change.old == row, "was shown something else", change)
    try require(change.old != change.new, "is none", change)
    let (from, to) = (change.from.index, change.to.index)
    try require(change.old == history.row(id, at: from), "began otherwise", change)
    try require(change.new == history.row(id, at: to), "ends otherwise", change)
    let digests = [change.old, change.new].map { $0?.digests ?? [] }
    let fields = (1...64).filter { digests[0][of: $0] != digests[1][of: $0] }
    try require(change.fields.numbers == fields, "has other fields than \(fields)", change)
    let isRedirected = change.old.map { $0.id != (change.new?.id ?? $0.id) } ?? false
    try require(change.isRedirected == isRedirected, "is redirected or not", change)
    row = change.new
  }

  private func require(
    _ condition: Bool, _ what: String, _ change: RowChange
  ) throws(Discrepancy) {
    try Discrepancy.require(condition, "row \(id): the change \(what): \(change)")
  }
}

extension [UInt64] {
  /// The digest of the field with a number, or 0 where there is none.
  fileprivate subscript(of number: Int) -> UInt64 { number <= count ? self[number - 1] : 0 }
}
