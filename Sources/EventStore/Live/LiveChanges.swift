/// The changes of an observed list or row; while one is pending, later changes are merged into it.
///
/// For one reader.
public struct LiveChanges<Element: Sendable>: AsyncSequence, Sendable {
  let mailbox: Tray<Element>

  init(_ mailbox: Tray<Element>) { self.mailbox = mailbox }

  /// Waits for changes.
  public struct Iterator: AsyncIteratorProtocol {
    let mailbox: Tray<Element>

    /// Returns what happened since the last change once something has, or `nil` if the observation
    /// ended or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> Element? { await mailbox.take() }
  }

  /// Returns an iterator that begins with any pending change.
  public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }
}
