import LMDB

/// Holds the committed views to the log: to themselves first, and then to what the log comes to.
struct ViewsCheck {
  let log: Log
  let definitions: Definitions
  let file: ViewsFile
  /// Is told how far it has come; says whether to go on.
  let mayGoOn: (Store.Progress) -> Bool

  /// What comes of it.
  ///
  /// - Throws: ``StoreError/cancelled``, and what makes it impossible to tell.
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

  /// Looks through what is committed, and says what it is; `nil` where it can't be told.
  private func scan(_ verification: inout Verification) throws -> CommittedViews? {
    file.environment.makeHeadroom()
    let reader = KeptReader(file.environment)
    defer { reader.end() }
    try reader.renew()
    let scan = ViewsScan(file: file, definitions: definitions, reader: reader)
    // Through damaged pages nothing can be read.
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

  /// Adds what differs; says whether nothing does.
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

/// What is known of the views as a whole where they are committed.
struct CommittedViews {
  let mark: FrameMark
  /// The number of each of the reducer's views in the file, where it is there.
  let numbers: [UInt32?]
  /// What the frames before came to.
  let marks: [FrameMark]

  /// What a reader sees.
  ///
  /// - Throws: ``ViewsError/damaged(_:)`` where it is not there.
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

  /// Whether the last frame's mark, where it is there, says what is committed.
  var isMarked: Bool {
    guard let last = marks.last, last.number == mark.number else { return true }
    return last.agrees(with: mark)
  }

  /// What the rows and views of a workspace are, its views by their numbers in the file.
  func mark(of workspace: Workspace) -> FrameMark {
    var renumbered: [UInt32: UInt32] = [:]
    for (view, number) in zip(workspace.state.lists.views, numbers) {
      renumbered[view.index.view] = number
    }
    return workspace.mark.renumbered(renumbered)
  }
}

extension Store {
  /// Holds the views to the log: makes them anew from it, in memory and beside those that are
  /// shown, and compares; and looks at each page and value of the views' file.
  ///
  /// The store may be used meanwhile. While the file is looked at the views' map doesn't grow, and
  /// what they free is not used again.
  ///
  /// - Parameter progress: Is told how far making them anew has come, on another thread; it is
  /// given
  ///   up where this returns `false`, or the task is cancelled.
  /// - Returns: What is wrong, and where views and log parted, as far as that can be told. The
  ///   remedy is to delete the views, which are made anew when the store is opened.
  /// - Complexity: O(*n* log *n*) in the records, with memory for all rows and views. Where
  ///   something is wrong, twice.
  /// - Throws: ``StoreError``; ``StoreError/cancelled``.
  public func verify(
    progress: @escaping @Sendable (Progress) -> Bool = { _ in true }
  ) async throws(StoreError) -> Verification {
    let parts = try parts
    let isCancelled = Monitor(false)
    let result = await withTaskCancellationHandler {
      await onThread { [path] in
        try parts.upkeep.commit()
        guard let views = parts.upkeep.views else { throw StoreError.closed(path: path) }
        let check = ViewsCheck(
          log: parts.log, definitions: parts.definitions, file: views.file,
          mayGoOn: { step in !isCancelled.withLock { $0 } && progress(step) })
        return try check.run()
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    do { return try result.get() } catch { throw StoreError(error, path: path) }
  }
}
