package import Testing

/// Says which rows of the table in `Defects.md` a test answers: what has gone wrong elsewhere.
///
/// The table names the tests in turn: `RepositoryTests` compares it with what is said here.
package struct Defect: TestTrait, SuiteTrait {}

extension Trait where Self == Defect {
  /// Shows that defects of another system are not there, by their numbers.
  package static func defect(_ peer: Peer, _ numbers: Int...) -> Defect { Defect() }
}

/// A system that does what this does, or a part of it.
package enum Peer {
  case inboxKit, airship, iterable, braze, cleverTap, oneSignal, mailspring
  case liveStore, ckSyncEngine, powerSync, couchbaseLite, watermelonDB
  case grdb, realm, fetchedResults, tableViews
  case marten, kurrentDB, reduxDevTools, lmdb
}
