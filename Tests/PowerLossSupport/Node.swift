/// A file or folder, whatever its names are.
package struct Node: Hashable, Sendable {
  package let number: Int

  package init(_ number: Int) { self.number = number }

  /// The folder below which everything was recorded; its path is empty.
  package static let root = Node(0)
}
