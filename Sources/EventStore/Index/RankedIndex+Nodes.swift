import LMDB

/// Accessing nodes in memory, and loading them from the base.
extension RankedIndex {
  /// Ensures that a node is in memory and has a level.
  ///
  /// The node stays in memory until the next ``trim()``.
  ///
  /// - Throws: ``IndexError`` if the node is damaged, and any error of the reader.
  @inline(__always)
  mutating func require(_ node: UInt32, _ level: Int) throws {
    if isResident(node, level) {
      slots[Int(node)].isUsed = true
    } else {
      try load(node, level)
    }
  }

  /// Returns whether a node is in memory and has a level.
  @inline(__always)
  func isResident(_ node: UInt32, _ level: Int) -> Bool {
    let index = Int(node)
    return index < slots.count && slots[index].level == UInt8(truncatingIfNeeded: level)
  }

  /// Returns a view of a node in memory.
  @_lifetime(borrow self)
  @inline(__always)
  func nodeView(_ node: UInt32, _ level: Int) -> NodeView {
    NodeView(arrays.bytes(at: Int(node)), level: level, layout)
  }

  @inline(never)
  private mutating func load(_ node: UInt32, _ level: Int) throws {
    guard node > 0, node < header.next, let base else { throw damaged(node, .absent) }
    reserveSlot(node)
    guard slots[Int(node)].level == NodeSlot.absent else { throw damaged(node, .link) }
    let key = NodeBase.key(view, node)
    guard let bytes = try base.bytes(of: key) else { throw damaged(node, .absent) }
    if let damage = layout.damage(of: bytes.raw, key: key) { throw damaged(node, damage) }
    guard bytes[5] == UInt8(truncatingIfNeeded: level) else { throw damaged(node, .link) }
    arrays[Int(node)] = bytes
    slots[Int(node)] = NodeSlot(level: bytes[5], isUsed: true)
    residents += 1
  }

  private mutating func reserveSlot(_ node: UInt32) {
    let missing = Int(node) + 1 - slots.count
    guard missing > 0 else { return }
    slots.append(contentsOf: repeatElement(NodeSlot(), count: missing))
    arrays.grow(to: slots.count)
  }
}

/// Editing nodes.
extension RankedIndex {
  /// Returns the bytes of a node in memory for editing.
  @_lifetime(&self)
  @inline(__always)
  mutating func edit(_ node: UInt32) -> MutableRawSpan {
    markDirty(node)
    return arrays.mutableBytes(at: Int(node))
  }

  @inline(__always)
  private mutating func markDirty(_ node: UInt32) {
    finger = nil
    guard slots[Int(node)].frame != frame else { return }
    slots[Int(node)].frame = frame
    dirty.append(node)
  }

  /// Creates an empty node.
  mutating func makeNode(level: Int) throws -> UInt32 {
    let node = header.free == 0 ? header.next : header.free
    if header.free == 0 {
      guard header.next < .max else { throw damaged(node, .link) }
      header.next += 1
    } else {
      try takeFree(node)
    }
    place(layout.emptyNode(level: level), level: UInt8(level), at: node)
    return node
  }

  private mutating func takeFree(_ node: UInt32) throws {
    try require(node, Int(NodeLayout.freeLevel))
    let next = nextFree(after: node)
    guard next < header.next, header.freeCount > 0 else { throw damaged(node, .link) }
    (header.free, header.freeCount) = (next, header.freeCount - 1)
  }

  /// Returns the free node after one that is in memory.
  func nextFree(after node: UInt32) -> UInt32 {
    arrays.bytes(at: Int(node)).integer(UInt32.self, at: 8)
  }

  /// Frees a node, whether or not it is in memory.
  mutating func release(_ node: UInt32) {
    place(layout.freeNode(before: header.free), level: NodeLayout.freeLevel, at: node)
    (header.free, header.freeCount) = (node, header.freeCount + 1)
  }

  private mutating func place(_ bytes: [UInt8], level: UInt8, at node: UInt32) {
    reserveSlot(node)
    if slots[Int(node)].level == NodeSlot.absent { residents += 1 }
    markDirty(node)
    arrays[Int(node)] = bytes
    slots[Int(node)].level = level
    slots[Int(node)].isUsed = true
  }

  /// Sets a new root.
  mutating func setRoot(_ node: UInt32, height: Int) {
    (header.root, header.height) = (node, height)
  }

  func damaged(_ node: UInt32, _ damage: NodeDamage) -> IndexError {
    .damagedNode(view: view, node: node, damage)
  }

  func absent(_ row: RowID) -> IndexError { .absent(view: view, row) }
}
