public import Observation
import Tideline

/// The synchronization status of an inbox, for views that observe what they show.
///
///     @State var live = LiveStatus(sync)
///     if live.status.obstacle == .offline { OfflineBanner() }
@MainActor
@Observable
public final class LiveStatus {
  /// The current synchronization status.
  public private(set) var status: SyncStatus
  private let reading = OwnedTask()

  /// Creates the live status of a synchronization without keeping that alive.
  ///
  /// It is updated until this object is released.
  public init(_ sync: Sync) {
    status = sync.status
    let statuses = sync.statuses
    reading.begin { [weak self] in
      for await status in statuses { await self?.show(status) }
    }
  }

  deinit { reading.end() }

  private func show(_ status: SyncStatus) { self.status = status }
}
