import EventStore
import Foundation
import Tideline

// Recipes.md begins
final class ThreadTable: NSObject, UITableViewDataSource {
  private let provider: Provider<MailThread>
  private let table: UITableView
  private var list: ObjectList<MailThread>

  init(_ provider: Provider<MailThread>, in table: UITableView) {
    self.provider = provider
    self.table = table
    let changes = provider.changes
    list = provider.current.list
    super.init()
    table.dataSource = self
    Task { [weak self] in
      for await change in changes { self?.apply(change) }
    }
  }

  private func apply(_ change: ProviderChange<MailThread>) {
    guard let batches = change.set.batchUpdates() else {
      list = change.list
      return table.reloadData()
    }
    table.performBatchUpdates { [self] in
      list = change.list
      table.deleteRows(at: batches.deletions.map(\.indexPath), with: .automatic)
      table.insertRows(at: batches.insertions.map(\.indexPath), with: .automatic)
      for move in batches.moves { table.moveRow(at: move.from.indexPath, to: move.to.indexPath) }
    }
    table.reloadRows(at: batches.reloads.map(\.indexPath), with: .none)
  }

  func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int { list.count }

  func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    let cell = table.dequeueReusableCell(withIdentifier: "thread", for: path)
    cell.textLabel?.text = list[path.row].subject
    return cell
  }
}

extension RowPath {
  var indexPath: IndexPath { IndexPath(row: item, section: section) }
}
// Recipes.md ends

extension ThreadTable {
  // Recipes.md begins
  func tableView(
    _ table: UITableView, willDisplay cell: UITableViewCell, forRowAt path: IndexPath
  ) {
    if path.row == list.count - 1 { try? provider.show(0..<list.count + 50) }
  }
  // Recipes.md ends
}

// Recipes.md begins
struct ThreadList: View {
  @State var unread: LiveList<MailThread>

  var body: some View {
    List(unread.list) { thread in Text(thread.subject ?? "") }
  }
}
// Recipes.md ends
