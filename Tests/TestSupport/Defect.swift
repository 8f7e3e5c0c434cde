package import Testing

/// A trait that names the rows of the table in `Defects.md` that a test covers: defects seen in
/// other systems.
///
/// The table in turn names the tests: `RepositoryTests` compares the two.
package struct Defect: TestTrait, SuiteTrait {}

extension Trait where Self == Defect {
  /// Marks a test that shows that defects of another system, named by number, don't occur here.
  package static func defect(_ peer: Peer, _ numbers: Int...) -> Defect { Defect() }
}

/// A system that does the same as this one, or a part of it.
package enum Peer {
  case inboxKit, airship, iterable, braze, cleverTap, oneSignal, mailspring
  case liveStore, ckSyncEngine, powerSync, couchbaseLite, watermelonDB
  case grdb, realm, fetchedResults, tableViews
  case marten, kurrentDB, reduxDevTools, lmdb
}
