/// A view that is kept no more, as it was dropped or is otherwise now, and of which there are nodes
/// still to be removed.
///
/// They go from the last to the first, so many with each frame; which are left the summary says.
package struct FormerView: Hashable, Sendable {
  /// The most nodes that are removed with one frame.
  static let nodesMax: UInt32 = 1_024

  /// What its nodes stand under.
  package let number: UInt32
  /// The last of its nodes that may be there.
  package var last: UInt32

  /// A view whose nodes up to one may be there.
  package init(number: UInt32, last: UInt32) { (self.number, self.last) = (number, last) }

  /// A view that is kept up to now.
  init(_ view: ViewsMeta.View) { self.init(number: view.number, last: view.header.next - 1) }
}

extension [FormerView] {
  /// Takes out the nodes that are removed next, at most so many; returns their keys.
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
