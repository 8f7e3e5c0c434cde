/// Overwrites what a data file holds and nobody can read any more: the free pages, and the unused
/// parts of those in use.
///
///     var wipe = PageWipe()
///     repeat {
///       let durable = try environment.lastTransaction
///       try environment.flush()
///     } while try wipe.run(on: environment, durable: durable, until: turnIsOver) == false
///
/// It works in turns, each of them under the write lock, so that no page changes meanwhile. Readers
/// are never in the way of the first half: they don't look at what a page does not use. A free page
/// that some reader's state still has is left alone until that reader has moved on.
///
/// It makes an end of what is there when it begins. Whoever writes pages meanwhile must not bring
/// any of it back; see ``Environment/reopen()``. For an environment whose only table is the unnamed
/// one, with integer keys.
package struct PageWipe: Sendable {
  private enum Stage: Sendable {
    /// Pages in use, by the keys in them; from this one on.
    case used(from: UInt64)
    /// The free list's own pages, and what lies behind the last page.
    case rest
    /// Free pages, those of them that are left.
    case free([UInt64])
    case done
  }

  private var stage = Stage.used(from: 0)
  /// A wipe that has not begun.
  package init() {}

  /// Whether it only waits for readers of older states.
  package private(set) var isWaiting = false

  /// Works for a turn; says whether it has come to its end, which is on the medium with the next
  /// flush.
  ///
  /// What was freed by a commit that is not on the medium may be needed after a loss of power.
  ///
  /// - Parameter durable: The last transaction that is on the medium.
  /// - Complexity: O(pages) over all turns, and O(free pages) for each of the last, of which there
  ///   are few: each washes a share of them, however short it is.
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
