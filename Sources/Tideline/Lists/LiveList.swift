import EventStore
public import Observation

/// A provider's list, for views that observe their data.
///
///     @State var unread = LiveList(provider)
///     List(unread.list) { thread in ThreadRow(thread) }
@MainActor
@Observable
public final class LiveList<Object: Model> {
  /// The objects in the window.
  public var list: ObjectList<Object> {
    follow()
    return shown.list
  }

  /// The number of objects that match the query, if the provider counts them.
  public var count: Int? {
    follow()
    return shown.count
  }

  /// The provider, whose changes arrive here as long as nothing else consumes them.
  public let provider: Provider<Object>
  private var shown: (list: ObjectList<Object>, count: Int?)
  @ObservationIgnored private var isFollowing = false
  private let reading = OwnedTask()

  /// Creates a live list, which follows the provider from when it is first read.
  ///
  /// If several live lists share a provider, the one that was first read last gets the changes. So
  /// one that is created and discarded, as SwiftUI does each time it creates a view whose state
  /// exists already, takes nothing from another. A live list that is released takes no more
  /// changes; the provider ends when the last reference to it goes away.
  public init(_ provider: Provider<Object>) {
    self.provider = provider
    let current = provider.current
    shown = (current.list, current.count)
  }

  deinit { reading.end() }

  /// Starts to consume the changes at the first read.
  private func follow() {
    guard !isFollowing else { return }
    isFollowing = true
    let changes = provider.changes
    let current = provider.current
    // The reader gets this value: notify nobody.
    _shown = (current.list, current.count)
    reading.begin { [weak self] in
      for await change in changes { await self?.show(change) }
    }
  }

  private func show(_ change: ProviderChange<Object>) {
    shown = (change.list, change.count)
  }
}
