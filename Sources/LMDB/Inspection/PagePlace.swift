/// A page of a tree, and the constraints from the path that leads to it.
struct PagePlace: ~Escapable {
  /// The purpose of a tree, which decides what its nodes may hold.
  enum Role {
    case freeList, main, table
    /// The duplicates of one key.
    case duplicates
  }

  let number: UInt64
  /// The number of pages on the path to this page, itself included.
  let depth: Int
  let tree: TreeDescriptor
  let role: Role
  let order: KeyOrder
  /// The key whose duplicates the tree holds; empty for other trees.
  let owner: RawSpan
  /// The inclusive lower bound of its keys.
  let low: RawSpan?
  /// The exclusive upper bound of its keys.
  let high: RawSpan?

  /// The root of a tree, or the page within a node that holds the duplicates of `owner`.
  @_lifetime(copy owner)
  init(
    root: UInt64, of tree: TreeDescriptor, _ role: Role, _ order: KeyOrder,
    owner: RawSpan = RawSpan()
  ) {
    self.init(root, depth: 1, of: tree, role, order, owner: owner, low: nil, high: nil)
  }

  @_lifetime(copy owner, copy low, copy high)
  private init(
    _ number: UInt64, depth: Int, of tree: TreeDescriptor, _ role: Role, _ order: KeyOrder,
    owner: RawSpan, low: RawSpan?, high: RawSpan?
  ) {
    self.number = number
    self.depth = depth
    self.tree = tree
    self.role = role
    self.order = order
    self.owner = owner
    self.low = low
    self.high = high
  }

  /// Returns a child whose keys lie between two keys of this page.
  @_lifetime(copy self, copy low, copy high)
  func child(_ number: UInt64, low: RawSpan?, high: RawSpan?) -> PagePlace {
    PagePlace(
      number, depth: depth + 1, of: tree, role, order, owner: owner, low: low, high: high)
  }

  /// Whether a key of this size is possible here.
  func admits(keySize size: Int) -> Bool {
    size >= 1 && size <= PageFormat.keySizeMax && order.admits(size: size)
  }
}
