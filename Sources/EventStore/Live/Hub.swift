/// All observers of lists and rows, found by the list or row that changed.
///
/// The hub outlives the workspace that feeds it, so observers stay while the store is suspended.
final class Hub {
  /// The observers of one list.
  final class Audience {
    var windows = WindowSet<UInt64>()
    /// The observers that want the list's row count, wherever the list changes.
    var counters: Set<UInt64> = []
    /// The greatest end of a window.
    var reach = 0

    fileprivate func insert(_ id: UInt64, _ window: ListWindow) {
      windows.insert(id, window.ranks)
      reach = max(reach, window.upperBound)
    }

    fileprivate func remove(_ id: UInt64, _ window: ListWindow) {
      windows.remove(id, window.ranks)
      if window.upperBound == reach { reach = windows.upperBound }
    }
  }

  private(set) var lookers: [UInt64: Looker] = [:]
  /// The observers of rows.
  var rows = RowAudience()
  /// The observed views that aren't the reducer's, by their places after the reducer's views.
  var transients: [Int: TransientView] = [:]
  /// The times that records which were shown were taken back.
  var setbacks = Setbacks()
  private var audiences: [ListID: Audience] = [:]
  /// The observed groups of each view, each with the number of its first observer.
  private var groups: [[UInt64: UInt64]] = []
  /// The views of which a list is observed.
  private(set) var watched = ViewSet()
  private var ids: UInt64 = 0

  /// Whether there are no observers.
  var isEmpty: Bool { lookers.isEmpty && rows.isEmpty }

  /// Whether any list of a view is observed.
  func isWatched(_ view: Int) -> Bool { watched.contains(view) }

  /// Returns the observed groups of a view, in the order in which their observation began, or `nil`
  /// if there are more than `limit`.
  func watchedGroups(of view: Int, atMost limit: Int) -> [UInt64]? {
    guard isWatched(view) else { return [] }
    guard groups[view].count <= limit else { return nil }
    return groups[view].sorted { $0.value < $1.value }.map(\.key)
  }

  /// Returns the observers of a list.
  func audience(of list: ListID) -> Audience? { audiences[list] }

  /// Calls `body` with the observers of each list.
  func forEachAudience(_ body: (Audience) -> Void) { audiences.values.forEach(body) }

  /// Adds an observer of a list and returns its id.
  func insert(_ looker: Looker) -> UInt64 {
    ids += 1
    lookers[ids] = looker
    let audience = audiences[looker.list] ?? begin(looker.list)
    audience.insert(ids, looker.window)
    if looker.window.hasTotal { audience.counters.insert(ids) }
    return ids
  }

  private func begin(_ list: ListID) -> Audience {
    while groups.count <= list.view { groups.append([:]) }
    groups[list.view][list.group] = ids
    watched.set(list.view, true)
    let audience = Audience()
    audiences[list] = audience
    return audience
  }

  /// Moves an observer to another window of its list.
  func move(_ id: UInt64, to window: ListWindow) {
    guard let looker = lookers[id], let audience = audiences[looker.list] else { return }
    audience.remove(id, looker.window)
    audience.insert(id, window)
    looker.window = window
  }

  /// Adds an observer of a row and returns its id.
  func insert(_ looker: RowLooker) -> UInt64 {
    ids += 1
    rows.insert(ids, looker)
    return ids
  }

  /// Removes an observer of a list or row; returns the observer, and the view that it observed.
  func remove(_ id: UInt64) -> (looker: AnyObject?, view: Int?) {
    if let watcher = rows.remove(id) { return (watcher, nil) }
    guard let looker = lookers.removeValue(forKey: id) else { return (nil, nil) }
    leave(id, looker)
    return (looker, looker.list.view)
  }

  private func leave(_ id: UInt64, _ looker: Looker) {
    guard let audience = audiences[looker.list] else { return }
    audience.remove(id, looker.window)
    audience.counters.remove(id)
    if audience.windows.isEmpty { end(looker.list) }
  }

  private func end(_ list: ListID) {
    audiences[list] = nil
    groups[list.view][list.group] = nil
    watched.set(list.view, !groups[list.view].isEmpty)
  }
}

extension ListWindow {
  /// The ranks that the window shows.
  var ranks: Range<Int> { lowerBound..<upperBound }
}
