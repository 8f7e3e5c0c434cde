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

  /// The list of a provider, as it is by now.
  ///
  /// Of several of one provider the last that was made is told. When the last goes that holds the
  /// provider, it ends.
  public init(_ provider: Provider<Object>) {
    self.provider = provider
    let changes = provider.changes
    let current = provider.current
    (list, count) = (current.list, current.count)
    Task { [weak self] in
      for await change in changes {
        guard let self else { return }
        list = change.list
        count = change.count
      }
    }
  }
}
