import Tideline

/// Takes the changes of a list one by one, waiting for each.
struct Watcher<Object: Model> {
  /// The initial list.
  let list: [Object]
  private let provider: Provider<Object>
  private var iterator: Updates<ProviderChange<Object>>.Iterator

  init(_ provider: Provider<Object>) {
    self.provider = provider
    list = provider.start.list.map { $0 }
    iterator = provider.changes.makeAsyncIterator()
  }

  /// Returns the lines of the next change.
  mutating func next() async -> [String] {
    await iterator.next()?.lines.map { "    \($0)" } ?? []
  }
}
