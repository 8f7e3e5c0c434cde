public import EventStore

/// What a provider delivers: what happened to its list, and what the list is now.
public struct ProviderChange<Object: Model>: Sendable, Hashable {
  /// What happened since the last delivery: which objects went, came, moved and changed, by their
  /// indices.
  ///
  /// The ids in it are those of rows: ``Model/rowID``.
  public let `set`: ChangeSet
  /// The objects of the window after it.
  public let list: ObjectList<Object>
  /// How many objects the query finds, where the provider counts them.
  public var count: Int? { self.set.newTotal }

  init(_ change: Change) {
    self.set = change.set
    list = ObjectList(change.list)
  }
}

/// The changes of a provider.
struct ProviderChanges<Object: Model>: AsyncSequence, Sendable {
  let moments: Tray<ProviderMoment>
  /// The number with which the reader began.
  let reader: UInt64

  func makeAsyncIterator() -> Iterator { Iterator(moments: moments, reader: reader) }

  struct Iterator: AsyncIteratorProtocol {
    let moments: Tray<ProviderMoment>
    let reader: UInt64

    /// What happened since the last, once something has; `nil` where the provider ended, or the
    /// task was cancelled.
    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Never) -> ProviderChange<Object>? {
      while let moment = await moments.take(by: reader) {
        if let change = moment.change { return ProviderChange(change) }
      }
      return nil
    }
  }
}
