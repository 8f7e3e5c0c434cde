/// What happens to something that is looked at, each time that it is taken.
///
/// It ends where the looking does, or where the task is cancelled.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
  private let begin: @Sendable () -> () async -> Element?

  init<Base: AsyncSequence & Sendable>(_ base: Base)
  where Base.Element == Element, Base.Failure == Never {
    begin = {
      var iterator = base.makeAsyncIterator()
      return { await iterator.next(isolation: #isolation) }
    }
  }

  /// Waits for what happens.
  public struct Iterator: AsyncIteratorProtocol {
    let take: () async -> Element?

    /// What happened since the last, once something has.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> Element? { await take() }
  }

  /// Begins with what was not taken yet.
  public func makeAsyncIterator() -> Iterator { Iterator(take: begin()) }
}
