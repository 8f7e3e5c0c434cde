/// All who look at lists and watch rows, found by the list or row that changed.
///
/// It outlives the workspace that feeds it: who looks stays while the store is suspended.
final class Hub {
  /// Who looks at one list.
  final class Audience {
    var windows = WindowSet<UInt64>()
    /// Those who want to know how many rows the list has, wherever it changes.
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
  /// Those who watch rows.
  var rows = RowAudience()
  /// The views that are looked at and not the reducer's, by their places behind these.
  var transients: [Int: TransientView] = [:]
  private var audiences: [ListID: Audience] = [:]
  /// The groups of each view that somebody looks at, each with the number of its beginning.
  private var groups: [[UInt64: UInt64]] = []
  private var ids: UInt64 = 0

  /// Whether nobody looks.
  var isEmpty: Bool { lookers.isEmpty && rows.isEmpty }

  /// Whether somebody looks at a list of that view.
  func isWatched(_ view: Int) -> Bool { view < groups.count && !groups[view].isEmpty }

  /// The groups of a view that somebody looks at, in the order in which that began; `nil` where
  /// there are more than so many.
  func watchedGroups(of view: Int, atMost limit: Int) -> [UInt64]? {
    guard isWatched(view) else { return [] }
    guard groups[view].count <= limit else { return nil }
    return groups[view].sorted { $0.value < $1.value }.map(\.key)
  }

  /// Who looks at a list.
  func audience(of list: ListID) -> Audience? { audiences[list] }

  /// Calls `body` with all who look, list by list.
  func forEachAudience(_ body: (Audience) -> Void) { audiences.values.forEach(body) }

  /// Adds a looker; returns what it is known by.
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
    let audience = Audience()
    audiences[list] = audience
    return audience
  }

  /// Has a looker look at another window of its list.
  func move(_ id: UInt64, to window: ListWindow) {
    guard let looker = lookers[id], let audience = audiences[looker.list] else { return }
    audience.remove(id, looker.window)
    audience.insert(id, window)
    looker.window = window
  }

  /// Adds who watches a row; returns what it is known by.
  func insert(_ looker: RowLooker) -> UInt64 {
    ids += 1
    rows.insert(ids, looker)
    return ids
  }

  /// Removes who looks at a list or watches a row; returns him, and the view that he looked at.
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
  }
}

extension ListWindow {
  /// The ranks that it shows.
  var ranks: Range<Int> { lowerBound..<upperBound }
}
