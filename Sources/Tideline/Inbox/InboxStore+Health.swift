public import EventStore

// How the store is, and what is kept of it elsewhere.
extension InboxStore {
  /// Why lists are not kept any further, where that is so; `nil` as long as all is well.
  ///
  /// What happens is recorded all the same. ``suspend()`` and ``resume()``, or opening the store
  /// again, mends it once there is room on the disk.
  public var failure: StoreError? { core.failure }

  /// The records that nothing could be made of, and why, by their numbers: they are left out, and
  /// tried again by the next version of the rules.
  ///
  /// - Complexity: O(n)
  /// - Throws: `StoreError`.
  public func refused() throws(StoreError) -> [RefusedEvent] { try core.refused() }

  /// Makes everything anew from the log, in memory and beside what is shown, and compares; and
  /// looks at each page and value of the views' file.
  ///
  /// The store may be used meanwhile.
  ///
  /// - Parameter progress: Is told how far that has come, on another thread; it is given up where
  ///   this returns `false`, or the task is cancelled.
  /// - Returns: What is wrong, and since which record, as far as that can be told. The remedy is to
  ///   delete the folder `views` while the store is closed: it is made anew when it is opened.
  /// - Complexity: O(*n* log *n*) in the records, with memory for everything.
  /// - Throws: `StoreError`; `cancelled`.
  public func verify(
    progress: @escaping @Sendable (Store.Progress) -> Bool = { _ in true }
  ) async throws(StoreError) -> Verification { try await core.verify(progress: progress) }

  /// Copies what happened, whatever is appended meanwhile: the log, of which all else is made.
  ///
  /// To restore it, put the copy in the place of the folder `log` of a store that is closed, and
  /// delete its folder `views`, which is made anew. Positions that were kept later than the copy
  /// get a reset.
  ///
  /// - Parameters:
  ///   - folder: The copy's, which has to be there and to hold no log.
  ///   - compacting: Leave out free pages, and with them whatever was erased and not yet
  ///     overwritten; slower, and smaller.
  /// - Complexity: O(size). Where the log grows to twice its size meanwhile, appends wait for the
  ///   copy to end.
  /// - Throws: `StoreError.log`, with `occupied` where the folder holds a log, `missing`,
  ///   `diskFull`; `StoreError.closed`.
  public func backup(to folder: String, compacting: Bool = true) async throws(StoreError) {
    let log = try core.log
    do throws(LogError) { try await log.backup(to: folder, compacting: compacting) } catch {
      throw .log(error)
    }
  }
}
