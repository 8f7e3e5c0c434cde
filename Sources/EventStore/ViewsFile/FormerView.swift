/// A view that was dropped or redefined, and whose old nodes still have to be removed.
///
/// Each frame removes a limited number of nodes, from the last to the first; the summary records
/// which are left.
package struct FormerView: Hashable, Sendable {
  /// The maximum number of nodes removed per frame.
  static let nodesMax: UInt32 = 1_024

  /// The number in the keys of its nodes.
  package let number: UInt32
  /// The last of its nodes that may still exist.
  package var last: UInt32

  /// A view whose nodes up to `last` may exist.
  package init(number: UInt32, last: UInt32) { (self.number, self.last) = (number, last) }

  /// A view that was kept until now.
  init(_ view: ViewsMeta.View) { self.init(number: view.number, last: view.header.next - 1) }
}

extension [FormerView] {
  /// Takes the nodes to remove next, at most `limit`, and returns their keys.
  package mutating func takeNodes(
    atMost limit: UInt32 = FormerView.nodesMax
  ) -> [ClosedRange<UInt64>] {
    var (keys, room): ([ClosedRange<UInt64>], UInt32) = ([], limit)
    while room > 0, var view = popLast() {
      let count = Swift.min(room, view.last)
      if count > 0 {
        let first = NodeBase.key(view.number, view.last - count + 1)
        keys.append(first...NodeBase.key(view.number, view.last))
      }
      (room, view.last) = (room - count, view.last - count)
      if view.last > 0 { append(view) }
    }
    return keys
  }
}
