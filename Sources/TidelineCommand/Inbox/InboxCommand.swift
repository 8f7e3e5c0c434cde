import EventStore
import LMDB
import Synchronization
import Tideline

/// A subcommand that works with a store of inboxes.
protocol InboxCommand: Subcommand {
  /// The folder of the store.
  var folder: String { get }

  /// Runs the command with the store, which is closed afterwards.
  func run(in store: InboxStore) async throws -> ExitStatus

  /// Runs the command with the store.
  ///
  /// - Parameter isRebuilt: Whether opening the store built its views from the log.
  func run(in store: InboxStore, isRebuilt: Bool) async throws -> ExitStatus
}

extension InboxCommand {
  func run(in store: InboxStore, isRebuilt: Bool) async throws -> ExitStatus {
    try await run(in: store)
  }

  func run() async throws -> ExitStatus {
    try Folder(folder).refuseUnusable()
    guard Folder(folder).ofLog.holdsData else {
      throw Folder(folder).isLog ? InboxCommandError.onlyLog(folder) : .noStore(folder)
    }
    OtherRules.say(of: folder)
    let isRebuilt = Atomic(false)
    var options = InboxStore.Options()
    // Who looks at a log keeps all of it.
    options.retention = nil
    options.core.progress = { _ in
      isRebuilt.store(true, ordering: .relaxed)
      return true
    }
    return try await InboxStore.withStore(at: folder, options) { store in
      try await Damage.status(of: store.core.log, in: folder, leavingOut: store.refused) {
        try await run(in: store, isRebuilt: isRebuilt.load(ordering: .relaxed))
      }
    }
  }

  /// Returns the object that a word of the command line names.
  func object(named word: String, in store: InboxStore) throws -> FoundObject {
    try FoundObject.find(word, in: store, for: Self.usage.name)
  }
}

extension Folder {
  /// Whether the folder itself is a log, such as a backup, rather than a store.
  var isLog: Bool { holdsData && !ofLog.holdsData }
}

extension InboxStore {
  /// Opens the store in a folder for `body`, and closes it afterwards, even on failure.
  static func withStore(
    at path: String, _ options: Options = Options(),
    _ body: (InboxStore) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let store = try await open(at: path, options: options)
    let result: Result<ExitStatus, any Error>
    do { result = .success(try await body(store)) } catch { result = .failure(error) }
    await store.close()
    return try result.get()
  }

  /// The inboxes of the logged-in accounts, in the order of the accounts.
  ///
  /// - Throws: ``InboxCommandError`` if nobody is logged in.
  var inboxes: [Inbox] {
    get throws {
      let accounts = try self.accounts.filter(\.isLoggedIn)
      guard !accounts.isEmpty else { throw InboxCommandError.nobody }
      return accounts.map { inbox(of: $0.account) }
    }
  }
}

/// The reason a command can't be carried out on a store.
enum InboxCommandError: Error, CustomStringConvertible {
  /// A folder holds no store.
  case noStore(String)
  /// A folder is a log rather than a store that has one.
  case onlyLog(String)
  /// Nobody is logged in.
  case nobody
  /// No visible object has the id.
  case noObject(String)
  /// The kind of an object doesn't allow it.
  case notPossible(id: String, String)

  var description: String {
    switch self {
    case .noStore(let folder):
      "\(folder) holds no inbox. Create one: tideline sync \(folder) --mail ADDRESS"
    case .onlyLog(let folder):
      "\(folder) is a log, without a store. Put a copy into one: "
        + "mkdir NEW && cp -R \(folder) NEW/log"
    case .nobody: "nobody is logged in there. Log in: tideline sync FOLDER --mail ADDRESS"
    case .noObject(let id): "nothing has the id '\(id)'. See: tideline list"
    case .notPossible(let id, let reason): "'\(id)': \(reason)"
    }
  }
}
