import EventStore

/// A value made from something in the store, at once and then each time that it changes.
///
/// A second loop begins with what was consumed last, and ends the first.
struct Sightings<Seen: Sendable, Value: Equatable & Sendable>: AsyncSequence, Sendable {
  private let news: Tray<Seen>
  private let latest: Latest<Seen?>
  /// What reports the changes for as long as it exists.
  private let source: any Sendable
  private let value: @Sendable (Seen) -> Value

  /// Creates the sequence of the values that `value` makes from what is seen.
  ///
  /// - Parameter begin: Starts to pass on what is seen after each change; returns what reports the
  ///   changes, and what is seen before the first one.
  init(
    _ value: @escaping @Sendable (Seen) -> Value,
    from begin: (
      _ tell: @escaping @Sendable (Seen) -> Void
    ) throws(StoreError) -> (source: any Sendable, seen: Seen)
  ) throws(StoreError) {
    let latest = Latest<Seen?>(nil)
    let news = Tray<Seen>(merging: { $1 }) { latest.set($0) }
    let (source, seen) = try begin { news.put($0) }
    latest.set(seen)
    (self.news, self.latest, self.source, self.value) = (news, latest, source, value)
  }

  func makeAsyncIterator() -> Iterator { Iterator(sightings: self, reader: news.begin()) }

  struct Iterator: AsyncIteratorProtocol {
    let sightings: Sightings
    /// The number that the reader got when it began.
    let reader: UInt64
    /// The value that this iterator delivered last, once there is one.
    var last: Value?

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> Value? {
      if last == nil, let seen = sightings.latest.value { return told(seen) }
      while let seen = await sightings.news.take(by: reader) {
        let former = last
        let value = told(seen)
        if value != former { return value }
      }
      return nil
    }

    private mutating func told(_ seen: Seen) -> Value {
      let value = sightings.value(seen)
      last = value
      return value
    }
  }
}
