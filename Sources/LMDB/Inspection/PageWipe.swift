/// Overwrites the parts of a data file that nothing can read any more: free pages, and the unused
/// parts of pages in use.
///
///     var wipe = PageWipe()
///     repeat {
///       let durable = try environment.lastTransaction
///       try environment.flush()
///     } while try wipe.run(on: environment, durable: durable, until: turnIsOver) == false
///
/// It works in turns, each under the write lock, so that no page changes in the meantime. Readers
/// never impede the first half, as they don't read the unused parts of a page. A free page that
/// belongs to some reader's state is left alone until that reader has moved on.
///
/// It wipes what exists when it begins. Writers must not bring any of that back in the meantime;
/// see ``Environment/reopen()``. For an environment whose only table is the unnamed one, with
/// integer keys.
package struct PageWipe: Sendable {
  private enum Stage: Sendable {
    /// The pages in use, by their keys; from this key on.
    case used(from: UInt64)
    /// The free list's own pages, and everything after the last page.
    case rest
    /// The free pages that remain.
    case free([UInt64])
    case done
  }

  private var stage = Stage.used(from: 0)
  /// A wipe that hasn't begun.
  package init() {}

  /// Whether the wipe only waits for readers of older states.
  package private(set) var isWaiting = false

  /// Works for one turn; returns whether the wipe is complete, which is durable with the next
  /// flush.
  ///
  /// Pages freed by a commit that isn't durable may be needed after a loss of power.
  ///
  /// - Parameter durable: The last durable transaction.
  /// - Complexity: O(pages) over all turns, and O(free pages) for each of the last turns, which are
  ///   few: each wipes a share of the free pages, however short it is.
  package mutating func run(
    on environment: Environment, durable: UInt64, until isOver: () -> Bool
  ) throws(LMDBError) -> Bool {
    if isWaiting { try environment.clearStaleReaders() }
    let path = Folder(environment.path).path(of: Environment.dataFile)
    try environment.whileLocked { () throws(LMDBError) in
      let washer = try PageWasher(path)
      switch stage {
      case .used(let key):
        let next = try washer.washTree(from: key, until: isOver)
        stage = next.map { .used(from: $0) } ?? .rest
      case .rest:
        try washer.washFreeList()
        try washer.washEnd()
        stage = .free(washer.freePages().map(\.page))
      case .free(let pages):
        let oldest = try environment.readers().compactMap(\.transaction).min() ?? .max
        let left = try washer.washFree(pages, upTo: min(oldest, durable), until: isOver)
        isWaiting = left.isWaiting
        stage = left.pages.isEmpty ? .done : .free(left.pages)
      case .done: break
      }
    }
    guard case .done = stage else { return false }
    return true
  }
}
