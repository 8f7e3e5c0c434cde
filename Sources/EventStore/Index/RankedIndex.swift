import LMDB

/// The ordered rows of a view: a persistent B+tree that counts the entries below each node, so that
/// a rank, and the entry at a rank, are found in O(log n).
///
/// Changes happen in memory, one batch of operations at a time; each node that a batch touches is
/// visited once. ``freeze()`` returns the changes of a frame, the owner writes them anywhere with
/// ``FrozenNodes/write(to:_:)``, and then calls ``committed()``; in the meantime, the index can be
/// read and changed. Nodes are loaded from the base on demand and verified then.
///
/// After an error in anything but a lookup, the index is unusable: discard it, and open or build
/// another.
package struct RankedIndex: ~Copyable {
  /// The default limit for the bytes of nodes in memory.
  static let cacheBytesMaxDefault = 32 << 20

  let view: UInt32
  let layout: NodeLayout
  let base: NodeBase?
  /// The current header.
  package internal(set) var header: IndexHeader

  /// The bytes of each node, by its number; empty if the node is not in memory.
  ///
  /// Frozen nodes share their bytes with the thread that writes them, so changing one copies it.
  var arrays = ByteArrays()
  /// The other state of each node.
  var slots: [NodeSlot] = []
  /// The number of nodes in memory.
  var residents = 0
  /// The number of nodes in memory beyond which some are dropped.
  var residentsMax: Int
  /// The slot at which the next sweep for nodes to drop continues.
  var hand = 0
  /// The nodes changed in this frame.
  var dirty: [UInt32] = []
  /// The number of this frame.
  var frame: UInt32 = 1
  /// The last frame whose nodes are in the base.
  var committedFrame: UInt32 = 0
  /// The path of a single operation from the root to a leaf.
  var path = [PathStep](repeating: PathStep(), count: NodeLayout.levelMax + 1)

  /// The leaf to which the last key belongs, until a node is changed.
  var finger: Finger?
  /// The ranks of some large groups.
  var bigGroups = BigGroups()

  struct PathStep {
    var node: UInt32 = 0
    var child = 0
  }

  /// A leaf, and the number of entries before it.
  struct Finger {
    let leaf: UInt32
    let rank: Int
  }

  /// Opens a view's index, described by a header, over the base it was written to; or creates a new
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

  /// The number of entries.
  package var count: Int { header.count }

  /// A sum over the entries that does not depend on their order; maintained by the owner.
  package var hash: UInt64 {
    get { header.hash }
    set { header.hash = newValue }
  }

  /// The total size of the nodes in memory, in bytes.
  package var residentBytes: Int { residents * layout.byteCount }

  /// The limit for the bytes of nodes in memory, beyond which clean nodes are dropped.
  ///
  /// Nodes changed in a frame stay until it is committed, regardless of the limit.
  package var cacheBytesMax: Int { didSet { limit() } }

  var root: UInt32 { header.root }
  var height: Int { header.height }
}
