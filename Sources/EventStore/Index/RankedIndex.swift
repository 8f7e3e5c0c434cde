import LMDB

/// A view's rows in their order: a persisted B+tree that counts the entries below each node, so
/// that a rank, and the entry at a rank, are found in O(log n).
///
/// It is changed in memory, a batch of operations at a time; each node that a batch touches is
/// visited once. What a frame changed is handed out by ``freeze()``, written by
/// ``FrozenNodes/write(to:_:)`` wherever its owner likes, and then ``committed()``; meanwhile the
/// index can be read and changed. Nodes come from the base as they are needed and are verified
/// then.
///
/// After an error, unless something was only looked for, the index is as good as gone: throw it
/// away, and open or build another.
package struct RankedIndex: ~Copyable {
  /// How many bytes of nodes are kept in memory unless something else is said.
  static let cacheBytesMaxDefault = 32 << 20

  let view: UInt32
  let layout: NodeLayout
  let base: NodeBase?
  /// The header as it is now.
  package internal(set) var header: IndexHeader

  /// The bytes of each node, by its number; none where it is not in memory.
  ///
  /// Frozen nodes share theirs with whoever writes them, so changing one meanwhile copies it.
  var arrays = ByteArrays()
  /// What else is known of each node.
  var slots: [NodeSlot] = []
  /// How many nodes are in memory.
  var residents = 0
  /// How many there may be before some are dropped.
  var residentsMax: Int
  /// Where the search for a node to drop goes on.
  var hand = 0
  /// The nodes that were changed in this frame.
  var dirty: [UInt32] = []
  /// The number of this frame.
  var frame: UInt32 = 1
  /// The last frame whose nodes are in the base.
  var committedFrame: UInt32 = 0
  /// The way that a single operation takes from the root to a leaf.
  var path = [PathStep](repeating: PathStep(), count: NodeLayout.levelMax + 1)

  /// Where the last key stands, or would, until a node is changed.
  var finger: Finger?
  /// The ranks of some groups.
  var bigGroups = BigGroups()

  struct PathStep {
    var node: UInt32 = 0
    var child = 0
  }

  /// A leaf, and how many entries come before its own.
  struct Finger {
    let leaf: UInt32
    let rank: Int
  }

  /// The index of a view as a header says it is, over the base that it was written to; or a new
  /// one, which may have no base.
  package init(
    view: UInt32, _ header: IndexHeader, base: NodeBase? = nil,
    cacheBytesMax: Int = cacheBytesMaxDefault
  ) {
    (self.view, self.header, self.base) = (view, header, base)
    self.cacheBytesMax = cacheBytesMax
    layout = NodeLayout(width: header.width, byteCount: header.nodeBytes)
    residentsMax = cacheBytesMax / layout.byteCount
  }

  /// How many entries there are.
  package var count: Int { header.count }

  /// A sum over the entries that does not depend on the order in which they came; the owner adds
  /// and subtracts.
  package var hash: UInt64 {
    get { header.hash }
    set { header.hash = newValue }
  }

  /// The bytes of the nodes in memory.
  package var residentBytes: Int { residents * layout.byteCount }

  /// The bytes of nodes in memory beyond which clean ones are dropped.
  ///
  /// What a frame changed stays until it is committed, whatever the limit.
  package var cacheBytesMax: Int { didSet { limit() } }

  var root: UInt32 { header.root }
  var height: Int { header.height }
}
