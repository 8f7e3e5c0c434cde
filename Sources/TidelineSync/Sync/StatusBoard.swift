/// The status of a synchronization, and its listeners.
struct StatusBoard {
  /// The current status.
  private(set) var status = SyncStatus()
  /// The uploads in progress, by request.
  private(set) var uploads: [Int: SyncStatus.Upload] = [:]
  private var listeners: [Int: AsyncStream<SyncStatus>.Continuation] = [:]

  /// Adds a listener, which gets the current status at once.
  mutating func add(_ listener: AsyncStream<SyncStatus>.Continuation, as id: Int) {
    listener.yield(status)
    listeners[id] = listener
  }

  /// Removes a listener.
  mutating func remove(_ id: Int) { listeners[id] = nil }

  /// Tells all listeners that no more statuses follow.
  func finish() { listeners.values.forEach { $0.finish() } }

  /// Reports a status, if it differs from the current one.
  mutating func tell(_ status: SyncStatus) {
    var status = status
    status.uploads = uploads.sorted { $0.key < $1.key }.map(\.value)
    if status != self.status { listeners.values.forEach { $0.yield(status) } }
    self.status = status
  }

  /// Reports an obstacle.
  mutating func tell(_ obstacle: SyncStatus.Obstacle) {
    var status = status
    status.obstacle = obstacle
    tell(status)
  }

  /// Reports the upload progress of a request; `nil` once that has ended.
  mutating func tell(_ upload: SyncStatus.Upload?, of id: Int) {
    uploads[id] = upload
    tell(status)
  }

  /// Reports that all work has ended.
  mutating func endWork() {
    var status = status
    (uploads, status.isRefreshing, status.isLive) = ([:], false, false)
    tell(status)
  }
}
