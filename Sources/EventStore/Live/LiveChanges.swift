/// The changes of an observed list or row; while one is pending, later changes are merged into it.
///
/// For one reader.
public struct LiveChanges<Element: Sendable>: AsyncSequence, Sendable {
  let slot: Tray<Element>

  init(_ slot: Tray<Element>) { self.slot = slot }

  /// Waits for changes.
  public struct Iterator: AsyncIteratorProtocol {
    let slot: Tray<Element>

    /// Returns what happened since the last change once something has, or `nil` if the observation
    /// ended or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> Element? { await slot.take() }
  }

  /// Returns an iterator that begins with any pending change.
  public func makeAsyncIterator() -> Iterator { Iterator(slot: slot) }
}
