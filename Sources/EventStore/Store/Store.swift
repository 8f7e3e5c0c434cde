package import LMDB
import Synchronization

/// A log, and the views that a reducer makes of it: kept up to date, shown, told of.
///
///     let store = try await Store.open(at: folder, reducer: ToDo())
///     let open = try store.live("open", window: 0..<50)
///     for await change in open.changes { table.apply(change) }
public final class Store: Sendable {
  /// The folder, which holds one folder for the log and one for the views.
  public let path: String
  let options: Options
  let reducer: any Reducer
  let running: Mutex<Running?>
  /// Whether it is to be open: not from the moment on that it is suspended or closed.
  let isWanted = Mutex(true)
  /// The log of which something is being erased, so that it need not come to its end before the
  /// store can be suspended or closed.
  let erased = Mutex<Log?>(nil)
  /// In which it is opened again, given back, and its views are made anew.
  let turns = Turns()
  let stage: Stage

  /// A store's parts while it is open.
  struct Running: Sendable {
    let log: Log
    let upkeep: ViewsUpkeep
    let definitions: Definitions
  }

  /// The named limits of a store, and how it is opened.
  public typealias Options = StoreOptions

  /// How far making the views anew has come.
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

  /// A store that is let go of gives its views back, and the log with them where nobody else has
  /// it; when that is done only ``close()`` says.
  deinit {
    guard let upkeep = running.withLock({ $0?.upkeep }) else { return }
    Task { await upkeep.stop() }
  }

  /// Opens the store in an existing folder, and makes one where the folder holds none.
  ///
  /// Views that are missing, torn or another build's are made anew from the log, and views that are
  /// behind catch up. One process at a time keeps the views; in others they are shown just the
  /// same, and one of them goes on keeping them when the first closes the store, suspends or ends.
  /// One that is opened for reading only follows who keeps them, and throws where nobody does.
  ///
  /// - Throws: ``StoreError``; `log` where the folder isn't there, or is none.
  public static func open(
    at path: String, reducer: some Reducer, options: Options = Options()
  ) async throws(StoreError) -> Store {
    let stage = Stage()
    let running = try await start(path, on: stage, reducer, options)
    return Store(at: path, running, on: stage, reducer, options)
  }

  /// Opens log and views, all of it on one thread: each thread that is begun, and each task that is
  /// woken by one, takes as long as much of the work.
  static func start(
    _ path: String, on stage: Stage, _ reducer: any Reducer, _ options: Options
  ) async throws(StoreError) -> Running {
    let opened = await onThread { () throws -> (Running, Result<Bool, any Error>) in
      let running = try prepare(path, on: stage, reducer, options)
      return (running, Result { try running.upkeep.begin() })
    }
    let (running, hasBegun) = try opened.mapError { StoreError($0, path: path) }.get()
    do {
      let isRoleThere = try hasBegun.get()
      if !isRoleThere { try await running.upkeep.waitForRole() }
      return running
    } catch {
      // What failed leaves nothing behind that would be in the way of another try.
      stage.clear()
      await running.log.close()
      throw StoreError(error, path: path)
    }
  }

  /// A store's parts, with the log open and the views not yet.
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
    let views = ViewsFolder(at: Folder(path).folder("views").path)
    let opening = FollowerOpening(
      log: log, folder: views, definitions: definitions, stage: stage, options: options)
    return Running(log: log, upkeep: ViewsUpkeep(opening), definitions: definitions)
  }

  /// Whether this process keeps the views, and doesn't merely follow who does.
  package var isKeeping: Bool { running.withLock { $0?.upkeep.isKeeping } ?? false }

  /// Whether it is suspended or closed, or is about to be.
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
  /// Nobody needs this to see or keep anything: views are committed by themselves, and made anew
  /// where they were not.
  ///
  /// - Throws: ``StoreError``.
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
  /// The environment that the views are kept in: for tests, which damage it.
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
  /// Where a store in this folder has its log.
  package var ofLog: Folder { folder("log") }

  /// Whether an environment's file is in it, whatever that holds.
  package var holdsData: Bool { contains(Environment.dataFile) }
}
