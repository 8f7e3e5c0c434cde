// Stand-ins for the parts of SwiftUI and of diffable data sources that the recipes use.

/// Visible content.
@MainActor protocol View {
  associatedtype Body
  @ViewBuilder var body: Body { get }
}

/// Returns its content unchanged.
@resultBuilder enum ViewBuilder {
  static func buildBlock<Content>(_ content: Content) -> Content { content }
}

/// A value that a view keeps.
@MainActor @propertyWrapper struct State<Value> {
  var wrappedValue: Value
  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// A line of text.
struct Text: View {
  let body: String
  init(_ body: String) { self.body = body }
}

/// Rows, one below another.
struct List<Row: View>: View {
  let body: [Row]
  init<Data: Collection>(_ data: Data, row: (Data.Element) -> Row)
  where Data.Element: Identifiable { body = data.map(row) }
}

/// Sections and items, each identified by name.
struct NSDiffableDataSourceSnapshot<Section: Hashable, Item: Hashable> {
  private(set) var items: [(section: Section, items: [Item])] = []
  private(set) var reconfigured: [Item] = []

  mutating func appendSections(_ sections: [Section]) { items += sections.map { ($0, []) } }

  mutating func appendItems(_ names: [Item], toSection section: Section) {
    guard let index = items.firstIndex(where: { $0.section == section }) else { return }
    items[index].items += names
  }

  mutating func reconfigureItems(_ names: [Item]) { reconfigured += names }
}

/// A data source that records the snapshots it is given.
@MainActor final class DiffableDataSource<Section: Hashable, Item: Hashable> {
  typealias Snapshot = NSDiffableDataSourceSnapshot<Section, Item>
  private(set) var shown: [Snapshot] = []
  /// Called after each new snapshot.
  var onChange: () -> Void = {}

  func apply(_ snapshot: Snapshot) async {
    shown.append(snapshot)
    onChange()
  }

  func applySnapshotUsingReloadData(_ snapshot: Snapshot) async { await apply(snapshot) }
}
