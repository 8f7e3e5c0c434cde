import LMDB

/// Checks the committed views, first for consistency and then against the log.
struct ViewsCheck {
  let log: Log
  let definitions: Definitions
  let file: ViewsFile
  /// Called with the progress; returns whether to continue.
  let mayGoOn: (Store.Progress) -> Bool

  /// Runs the check.
  ///
  /// - Throws: ``StoreError/cancelled``, and any failure that leaves the result unknown.
  func run() throws -> Verification {
    var verification = Verification()
    guard let committed = try scan(&verification) else { return verification }
    let last = committed.mark.number
    verification.number = last
    let shadow = try Replay(beginningOf: log, definitions)
    try shadow.fold(through: last) { mayGoOn(Store.Progress(done: $0, last: last)) }
    try shadow.requireViews()
    if compare(shadow, committed, &verification) { return verification }
    let search = DivergenceSearch(
      log: log, definitions: definitions, file: file, committed: committed, mayGoOn: mayGoOn)
    verification.divergence = try search.run(shadow)
    return verification
  }

  /// Scans what is committed, and returns its summary; `nil` if it can't be read.
  private func scan(_ verification: inout Verification) throws -> CommittedViews? {
    file.environment.makeHeadroom()
    let reader = KeptReader(file.environment)
    defer { reader.end() }
    try reader.renew()
    let scan = ViewsScan(file: file, definitions: definitions, reader: reader) { [log] in
      guard mayGoOn(Store.Progress(done: .zero, last: try log.last)) else {
        throw StoreError.cancelled
      }
    }
    // Nothing can be read through damaged pages.
    guard try scan.run(log, &verification) else { return nil }
    do {
      let committed = try CommittedViews(file, definitions, reader)
      if !committed.isMarked {
        verification.add(.contradiction("the mark of the last frame is not that of the summary"))
      }
      return committed
    } catch {
      verification.add(.contradiction("\(error)"))
      return nil
    }
  }

  /// Adds the differences; returns whether there are none.
  private func compare(
    _ shadow: Replay, _ committed: CommittedViews, _ verification: inout Verification
  ) -> Bool {
    let (expected, found) = (committed.mark(of: shadow.workspace), committed.mark)
    var isSame = true
    for collection in definitions.collections {
      let part = FrameMark.Part.collection(collection.number)
      guard let expected = expected.sums[part], expected != found.sums[part] else { continue }
      isSame = false
      verification.add(
        .collection(name: collection.name, expected: expected, found: found.sum(of: part)))
    }
    for (plan, number) in zip(definitions.plans, committed.numbers) {
      guard let part = number.map({ FrameMark.Part.view($0) }),
        let expected = expected.sums[part], expected != found.sums[part]
      else { continue }
      isSame = false
      verification.add(
        .view(name: plan.definition.name, expected: expected, found: found.sum(of: part)))
    }
    return isSame
  }
}

/// The summary of the committed views.
struct CommittedViews {
  let mark: FrameMark
  /// The number of each of the reducer's views in the file; `nil` if the file lacks the view.
  let numbers: [UInt32?]
  /// The marks of the frames so far.
  let marks: [FrameMark]

  /// Reads the summary of the state that a reader sees.
  ///
  /// - Throws: ``ViewsError/damaged(_:)`` if there is none.
  init(_ file: ViewsFile, _ definitions: Definitions, _ reader: KeptReader) throws {
    guard let meta = try ViewsBase(file, reader).readMeta() else {
      throw ViewsError.damaged("there is no summary of them")
    }
    mark = FrameMark(meta)
    numbers = definitions.plans.map { plan in
      meta.views.first { $0.name == plan.definition.name && $0.hash == plan.hash }?.number
    }
    marks = try file.marks.marks(through: mark.number, in: reader)
  }

  /// Whether the last frame's mark, if there is one, agrees with what is committed.
  var isMarked: Bool {
    guard let last = marks.last, last.number == mark.number else { return true }
    return last.agrees(with: mark)
  }

  /// Returns the mark of a workspace, with its views numbered as in the file.
  func mark(of workspace: Workspace) -> FrameMark {
    var renumbered: [UInt32: UInt32] = [:]
    for (view, number) in zip(workspace.state.lists.views, numbers) {
      renumbered[view.index.view] = number
    }
    return workspace.mark.renumbered(renumbered)
  }
}

extension Store {
  /// Verifies the views against the log: rebuilds them from it, in memory and apart from the live
  /// ones, and compares; also checks each page and value of the views' file.
  ///
  /// The store may be used in the meantime. While the file is checked, the views' map doesn't grow,
  /// and pages that the views free aren't reused.
  ///
  /// - Parameter progress: Called with the progress of the rebuild, on another thread; returning
  ///   `false`, cancelling the task, or suspending the store, aborts it.
  /// - Returns: The defects, and where views and log diverged, as far as known. The remedy is to
  ///   delete the views; they are rebuilt when the store is opened.
  /// - Complexity: O(*n* log *n*) in the records, with memory for all rows and views. Twice that if
  ///   something is wrong.
  /// - Throws: ``StoreError``; ``StoreError/cancelled``.
  public func verify(
    progress: @escaping @Sendable (Progress) -> Bool = { _ in true }
  ) async throws(StoreError) -> Verification {
    let parts = try parts
    let isCancelled = Monitor(false)
    do throws(LogError) { try await parts.log.flush() } catch { throw .log(error) }
    let result = await withTaskCancellationHandler {
      await onThread { [self] in
        try parts.upkeep.commit()
        guard let views = parts.upkeep.views else { throw StoreError.closed(path: path) }
        let check = ViewsCheck(
          log: parts.log, definitions: parts.replayed, file: views.file,
          mayGoOn: { [self] step in !isLeft && !isCancelled.withLock { $0 } && progress(step) })
        return try check.run()
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    do { return try result.get() } catch { throw StoreError(error, path: path) }
  }
}
