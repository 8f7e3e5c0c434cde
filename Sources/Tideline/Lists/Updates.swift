/// Updates about something that is being watched, produced as they are consumed.
///
/// Ends when the watching ends, or when the task is cancelled.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
  private let begin: @Sendable () -> () async -> Element?

  init<Base: AsyncSequence & Sendable>(_ base: Base)
  where Base.Element == Element, Base.Failure == Never {
    begin = {
      var iterator = base.makeAsyncIterator()
      return { await iterator.next(isolation: #isolation) }
    }
  }

  /// Waits for updates.
  public struct Iterator: AsyncIteratorProtocol {
    let take: () async -> Element?

    /// Waits for the next update since the last one that was consumed.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> Element? { await take() }
  }

  /// Begins with updates that were not consumed yet.
  ///
  /// If they are of an object or of operations, the value that was consumed last comes first, and
  /// an earlier loop ends. Notices are delivered again from the first.
  public func makeAsyncIterator() -> Iterator { Iterator(take: begin()) }
}
