/// A page of a tree, and what must hold of it by the way that led to it.
struct PagePlace: ~Escapable {
  /// What the tree is for, which decides what its nodes may hold.
  enum Role {
    case freeList, main, table
    /// The duplicates of one key.
    case duplicates
  }

  let number: UInt64
  /// How many pages lead to it, itself included.
  let depth: Int
  let tree: TreeDescriptor
  let role: Role
  let order: KeyOrder
  /// The key whose duplicates the tree holds, empty where it holds none such.
  let owner: RawSpan
  /// No key of it comes before this one.
  let low: RawSpan?
  /// Every key of it comes before this one.
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

  /// A child, whose keys lie between two of this page.
  @_lifetime(copy self, copy low, copy high)
  func child(_ number: UInt64, low: RawSpan?, high: RawSpan?) -> PagePlace {
    PagePlace(
      number, depth: depth + 1, of: tree, role, order, owner: owner, low: low, high: high)
  }

  /// Whether a key of this size can be here at all.
  func admits(keySize size: Int) -> Bool {
    size >= 1 && size <= PageFormat.keySizeMax && order.admits(size: size)
  }
}
