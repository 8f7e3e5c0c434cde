public import EventStore

/// A change to a provider's list, with the resulting list.
public struct ProviderChange<Object: Model>: Sendable, Hashable {
  /// The objects removed, inserted, moved and changed since the last delivery, by index.
  ///
  /// The ids are those of rows: ``Model/rowID``.
  public let `set`: ChangeSet
  /// The objects in the window after the change.
  public let list: ObjectList<Object>
  /// The number of objects that match the query, if the provider counts them.
  public var count: Int? { self.set.newTotal }

  init(_ change: Change) {
    self.set = change.set
    list = ObjectList(change.list)
  }
}

/// The changes of a provider.
struct ProviderChanges<Object: Model>: AsyncSequence, Sendable {
  let moments: Tray<ProviderMoment>
  /// The number that the reader got when it began.
  let reader: UInt64

  func makeAsyncIterator() -> Iterator { Iterator(moments: moments, reader: reader) }

  struct Iterator: AsyncIteratorProtocol {
    let moments: Tray<ProviderMoment>
    let reader: UInt64

    /// Waits for the next change; returns `nil` once the provider has ended or the task is
    /// cancelled.
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
