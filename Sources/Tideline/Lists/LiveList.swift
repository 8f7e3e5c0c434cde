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
  /// Where the list comes from; nobody else may take its changes, as this ends then.
  public let provider: Provider<Object>

  /// The list of a provider, which it ends when it goes.
  public init(_ provider: Provider<Object>) {
    self.provider = provider
    list = provider.start.list
    count = provider.start.count
    let changes = provider.changes
    Task { [weak self] in
      for await change in changes {
        guard let self else { return }
        list = change.list
        count = change.count
      }
    }
  }

  deinit { provider.end() }
}
