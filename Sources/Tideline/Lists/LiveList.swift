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
  public var list: ObjectList<Object> {
    follow()
    return shown.list
  }

  /// How many objects the query finds, where they are counted.
  public var count: Int? {
    follow()
    return shown.count
  }

  /// Where the list comes from: as long as nobody else takes its changes.
  public let provider: Provider<Object>
  private var shown: (list: ObjectList<Object>, count: Int?)
  @ObservationIgnored private var isFollowing = false
  private let reading = Errand()

  /// The list of a provider, as it is when it is first looked at.
  ///
  /// Of several of one provider the last that somebody began to look at is told: one that is made
  /// and thrown away, as SwiftUI makes one with each view of a state that it has already, takes
  /// nothing from another. One that is let go of takes no more changes; when the last goes that
  /// holds the provider, it ends.
  public init(_ provider: Provider<Object>) {
    self.provider = provider
    let current = provider.current
    shown = (current.list, current.count)
  }

  deinit { reading.end() }

  /// Takes the changes, from when it is first looked at.
  private func follow() {
    guard !isFollowing else { return }
    isFollowing = true
    let changes = provider.changes
    let current = provider.current
    // Who looks now is told of it already.
    _shown = (current.list, current.count)
    reading.begin { [weak self] in
      for await change in changes { await self?.show(change) }
    }
  }

  private func show(_ change: ProviderChange<Object>) {
    shown = (change.list, change.count)
  }
}
