package import LMDB
import Synchronization

/// A log and the views that a reducer derives from it, kept up to date and observable.
///
///     let store = try await Store.open(at: folder, reducer: ToDo())
///     let open = try store.live("open", window: 0..<50)
///     for await change in open.changes { table.apply(change) }
public final class Store: Sendable {
  /// The folder that holds one folder for the log and one for the views.
  public let path: String
  let options: Options
  let reducer: any Reducer
  let running: Mutex<Running?>
  /// Whether the store is meant to be open; `false` from the moment it is suspended or closed.
  let isWanted = Mutex(true)
  /// The log with an erasure in progress, so that suspending or closing the store need not wait for
  /// the erasure to finish.
  let erased = Mutex<Log?>(nil)
  /// The turns in which the store is reopened, released, and its views are rebuilt.
  let turns = Turns()
  let stage: Stage

  /// A store's parts while it is open.
  struct Running: Sendable {
    let log: Log
    let upkeep: ViewsUpkeep
    let definitions: Definitions

    /// The definitions of a replay, which leaves out the records that the views leave out.
    var replayed: Definitions { Definitions(definitions, without: Set(upkeep.skipped)) }
  }

  /// The named limits of a store, and how it is opened.
  public typealias Options = StoreOptions

  /// The progress of rebuilding the views.
  public typealias Progress = RebuildProgress

  private init(
    at path: String, _ running: Running, on stage: Stage, _ reducer: any Reducer,
    _ options: Options
  ) {
    self.path = path
    self.reducer = reducer
    self.options = options
    self.running = Mutex(running)
    self.stage = stage
  }

  /// Releases the views, and the log if nothing else holds it; only ``close()`` reports when that
  /// is done.
  deinit {
    guard let upkeep = running.withLock({ $0?.upkeep }) else { return }
    Task { await upkeep.stop() }
  }

  /// Opens the store in an existing folder, or creates one if the folder has none.
  ///
  /// Views that are missing, damaged or from another build are rebuilt from the log, and views that
  /// lag behind catch up. One process at a time keeps the views. Others show them just the same,
  /// and one of them takes over when the keeper closes the store, suspends or ends. A store opened
  /// read-only only follows the keeper, and `open` throws if there is none. An erasure that was
  /// interrupted is finished before this returns, if this process keeps the views.
  ///
  /// - Throws: ``StoreError``; `log` if the folder doesn't exist or isn't a folder.
  public static func open(
    at path: String, reducer: some Reducer, options: Options = Options()
  ) async throws(StoreError) -> Store {
    let stage = Stage()
    let running = try await start(path, on: stage, reducer, options)
    let store = Store(at: path, running, on: stage, reducer, options)
    if store.isKeeping {
      do throws(StoreError) { try await store.finishErasure() } catch {
        await store.close()
        throw error
      }
    }
    return store
  }

  /// Opens log and views on a single thread: starting a thread, or waking a task from one, takes as
  /// long as much of the work.
  ///
  /// - Parameter lease: The lease of the views, if this process has it already.
  static func start(
    _ path: String, on stage: Stage, _ reducer: any Reducer, _ options: Options,
    _ lease: Lease? = nil
  ) async throws(StoreError) -> Running {
    let opened = await onThread { () throws -> (Running, Result<Bool, any Error>) in
      let running = try prepare(path, on: stage, reducer, options)
      return (running, Result { try running.upkeep.begin(lease) })
    }
    let (running, hasBegun) = try opened.mapError { StoreError($0, path: path) }.get()
    do {
      let isRoleThere = try hasBegun.get()
      if !isRoleThere { try await running.upkeep.waitForRole() }
      return running
    } catch {
      // A failed attempt must leave nothing behind that blocks the next one.
      stage.clear()
      await running.log.close()
      throw StoreError(error, path: path)
    }
  }

  /// Opens the log, but not yet the views.
  private static func prepare(
    _ path: String, on stage: Stage, _ reducer: any Reducer, _ options: Options
  ) throws -> Running {
    guard !path.isEmpty else { throw LogError.missing(path: path) }
    let folder = Folder(path).ofLog
    do throws(LMDBError) {
      try folder.create()
    } catch {
      throw LogError(error, path: Folder(path).contains(".") ? folder.path : path)
    }
    let log = try Log(at: folder.path, options: options.log)
    let definitions = Definitions(
      reducer, seed: log.viewsSeed, eventRowsMax: options.eventRowsMax,
      sliceRowsMax: options.sliceRowsMax, journal: options.journal)
    let views = ViewsFolder(at: Folder(path).ofViews.path)
    let opening = FollowerOpening(
      log: log, folder: views, definitions: definitions, stage: stage, options: options)
    return Running(log: log, upkeep: ViewsUpkeep(opening), definitions: definitions)
  }

  /// Whether this process keeps the views rather than follows another keeper.
  package var isKeeping: Bool { running.withLock { $0?.upkeep.isKeeping } ?? false }

  /// Whether the store is suspended or closed, or about to be.
  package var isLeft: Bool { isWanted.withLock { !$0 } }

  /// The log.
  ///
  /// - Throws: `closed`.
  public var log: Log { get throws(StoreError) { try parts.log } }

  var parts: Running {
    get throws(StoreError) {
      guard let running = running.withLock({ $0 }) else { throw .closed(path: path) }
      return running
    }
  }

  /// Returns once everything that was appended before is in the views' file.
  ///
  /// Neither visibility nor durability needs this: views are committed on their own, and rebuilt
  /// where they were not.
  ///
  /// - Throws: ``StoreError``; `busy` if another process keeps the views and doesn't commit them.
  public func commitViews() async throws(StoreError) {
    let parts = try parts
    do {
      try await parts.log.flush()
      try await onThread { try parts.upkeep.commit() }.get()
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

extension Store {
  /// The environment that holds the views; for tests, which damage it.
  ///
  /// - Throws: `closed`.
  package var viewsEnvironment: Environment {
    get throws(StoreError) {
      guard let views = try parts.upkeep.views else { throw .closed(path: path) }
      return views.file.environment
    }
  }
}

extension Folder {
  /// The folder of the log of a store in this folder.
  package var ofLog: Folder { folder("log") }

  /// The folder of the views of a store in this folder.
  package var ofViews: Folder { folder("views") }

  /// Whether the folder contains an environment's file, whatever its contents.
  package var holdsData: Bool { contains(Environment.dataFile) }
}
