public import EventStore

// The store's health, and copies of the store.
extension InboxStore {
  /// Why lists are no longer updated; `nil` as long as they are.
  ///
  /// Events are recorded all the same. ``suspend()`` and ``resume()``, or opening the store again,
  /// fix it once the disk has space.
  public var failure: StoreError? { core.failure }

  /// Returns the records that the rules refused, and why, ordered by number.
  ///
  /// They have no effect, and the next version of the rules tries them again.
  ///
  /// - Complexity: O(n)
  /// - Throws: `StoreError`.
  public func refused() throws(StoreError) -> [RefusedEvent] { try core.refused() }

  /// Rebuilds everything from the log, in memory, and compares it with the views; also checks each
  /// page and value of the views' file.
  ///
  /// The store may be used meanwhile.
  ///
  /// - Parameter progress: Called with the progress, on another thread. Verification stops if this
  ///   returns `false`, or if the task is cancelled.
  /// - Returns: What is wrong, and since which record, as far as that can be determined. The remedy
  ///   is to delete the folder `views` while the store is closed: the next opening rebuilds it.
  /// - Complexity: O(*n* log *n*) in the records, with memory for everything.
  /// - Throws: `StoreError`; `cancelled`.
  public func verify(
    progress: @escaping @Sendable (Store.Progress) -> Bool = { _ in true }
  ) async throws(StoreError) -> Verification { try await core.verify(progress: progress) }

  /// Copies the log, from which everything else can be rebuilt; events may be appended meanwhile.
  ///
  /// To restore a copy, put it in the place of the folder `log` of a closed store, and delete the
  /// store's folder `views`, which is then rebuilt. Positions that were saved later than the copy
  /// get a reset.
  ///
  /// - Parameters:
  ///   - folder: The folder for the copy, which must exist and must not contain a log.
  ///   - compacting: Whether to leave out free pages, and with them anything erased but not yet
  ///     overwritten; slower, and smaller.
  /// - Complexity: O(size). If the log grows to twice its size meanwhile, appends wait for the copy
  ///   to end.
  /// - Throws: `StoreError.log`, with `occupied` if the folder contains a log, `missing`,
  ///   `diskFull`; `StoreError.closed`.
  public func backup(to folder: String, compacting: Bool = true) async throws(StoreError) {
    let log = try core.log
    do throws(LogError) { try await log.backup(to: folder, compacting: compacting) } catch {
      throw .log(error)
    }
  }
}
