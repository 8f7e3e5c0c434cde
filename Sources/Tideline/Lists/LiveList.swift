import EventStore
public import Observation

/// The list of a provider for views that observe what they show.
///
///     @State var unread = LiveList(provider)
///     List(unread.list) { thread in ThreadRow(thread) }
@MainActor
@Observable
public final class LiveList<Object: Model> {
  /// The objects of the window.
  public private(set) var list: ObjectList<Object>
  /// How many objects the query finds, where they are counted.
  public private(set) var count: Int?
  /// Where the list comes from: as long as nobody else takes its changes.
  public let provider: Provider<Object>
  private let reading = Errand()

  /// The list of a provider, as it is by now.
  ///
  /// Of several of one provider the last that was made is told. One that is let go of takes no more
  /// changes; when the last goes that holds the provider, it ends.
  public init(_ provider: Provider<Object>) {
    self.provider = provider
    let changes = provider.changes
    let current = provider.current
    (list, count) = (current.list, current.count)
    reading.begin { [weak self] in
      for await change in changes { await self?.show(change) }
    }
  }

  deinit { reading.end() }

  private func show(_ change: ProviderChange<Object>) {
    (list, count) = (change.list, change.count)
  }
}
