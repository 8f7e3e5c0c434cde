public import Observation
import Tideline

/// How far an inbox is in step, for views that observe what they show.
///
///     @State var live = LiveStatus(sync)
///     if live.status.obstacle == .offline { OfflineBanner() }
@MainActor
@Observable
public final class LiveStatus {
  /// How far the inbox is in step.
  public private(set) var status: SyncStatus
  private let reading = Errand()

  /// The status of a synchronization, which it does not keep alive.
  ///
  /// It is told of until it is let go.
  public init(_ sync: Sync) {
    status = sync.status
    let statuses = sync.statuses()
    reading.begin { [weak self] in
      for await status in statuses { await self?.show(status) }
    }
  }

  deinit { reading.end() }

  private func show(_ status: SyncStatus) { self.status = status }
}
