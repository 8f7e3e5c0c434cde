/// What happens to something that is looked at, each time it is taken: what happens meanwhile is
/// merged, so that at most one waits.
///
/// For one reader.
public struct LiveChanges<Element: Sendable>: AsyncSequence, Sendable {
  let mailbox: Tray<Element>

  init(_ mailbox: Tray<Element>) { self.mailbox = mailbox }

  /// Waits for changes.
  public struct Iterator: AsyncIteratorProtocol {
    let mailbox: Tray<Element>

    /// What happened since the last, once something has; `nil` where the looking ended, or the
    /// task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> Element? { await mailbox.take() }
  }

  /// Begins with what was not taken yet.
  public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }
}
