import Foundation

// Stand-ins for the parts of UIKit that the recipes use, with its rules for batches.

/// The source of a table's rows.
@MainActor protocol UITableViewDataSource: AnyObject {
  func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell
}

/// A line of text.
@MainActor final class UILabel {
  var text: String?
}

/// A visible row.
@MainActor final class UITableViewCell {
  let textLabel: UILabel? = UILabel()
}

/// A table of one section, which traps wherever UIKit's would.
@MainActor final class UITableView {
  enum RowAnimation { case automatic, none }

  weak var dataSource: (any UITableViewDataSource)?
  private(set) var cells: [UITableViewCell] = []
  private var batch: Batch?

  private struct Batch {
    var gone: Set<Int> = []
    var fresh: [Int] = []
    var moved: [(to: Int, cell: UITableViewCell)] = []
  }

  /// The texts of the visible rows.
  var texts: [String?] { cells.map(\.textLabel?.text) }

  func dequeueReusableCell(withIdentifier name: String, for path: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }

  func reloadData() {
    let count = dataSource?.tableView(self, numberOfRowsInSection: 0) ?? 0
    cells = (0..<count).compactMap(cell)
  }

  func performBatchUpdates(_ updates: () -> Void) {
    batch = Batch()
    updates()
    guard let batch else { return }
    self.batch = nil
    var next = cells.indices.filter { !batch.gone.contains($0) }.map { cells[$0] }
    let fresh = batch.fresh.compactMap { index in cell(index).map { (index, $0) } }
    for (index, cell) in (fresh + batch.moved).sorted(by: { $0.0 < $1.0 }) {
      next.insert(cell, at: index)
    }
    cells = next
    let count = dataSource?.tableView(self, numberOfRowsInSection: 0) ?? 0
    precondition(cells.count == count, "the batch gives \(cells.count) rows, the list \(count)")
  }

  func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
    for path in paths {
      precondition(batch?.gone.insert(path[1]).inserted == true, "\(path) goes twice")
    }
  }

  func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
    batch?.fresh += paths.map { $0[1] }
  }

  func moveRow(at path: IndexPath, to target: IndexPath) {
    precondition(batch?.gone.insert(path[1]).inserted == true, "\(path) goes and moves")
    batch?.moved.append((target[1], cells[path[1]]))
  }

  func reloadRows(at paths: [IndexPath], with animation: RowAnimation) {
    precondition(batch == nil, "rows are reloaded among moves")
    for path in paths { if let cell = cell(path[1]) { cells[path[1]] = cell } }
  }

  private func cell(_ index: Int) -> UITableViewCell? {
    dataSource?.tableView(self, cellForRowAt: IndexPath(row: index, section: 0))
  }
}

extension IndexPath {
  init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  var row: Int { self[1] }
}
