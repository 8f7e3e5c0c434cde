/// The identity of a file or folder, independent of its names.
package struct Node: Hashable, Sendable {
  package let number: Int

  package init(_ number: Int) { self.number = number }

  /// The folder that contains everything recorded; its path is empty.
  package static let root = Node(0)
}
