public import Observation

/// How far an inbox is in step, for views that observe what they show.
///
///     @State var live = LiveStatus(sync)
///     if live.status.obstacle == .offline { OfflineBanner() }
@MainActor
@Observable
public final class LiveStatus {
  /// How far the inbox is in step.
  public private(set) var status: SyncStatus

  /// The status of a synchronization, which it does not keep alive.
  public init(_ sync: Sync) {
    status = sync.status
    let statuses = sync.statuses()
    Task { [weak self] in
      for await status in statuses {
        guard let self else { return }
        self.status = status
      }
    }
  }
}
