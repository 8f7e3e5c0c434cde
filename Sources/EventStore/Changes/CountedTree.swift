/// A sequence whose copies share their common parts: a counted B+tree of arrays.
///
/// Copying costs O(1); finding, inserting, removing and replacing an element cost O(log n). Editing
/// a copy copies the nodes on the path to the element and shares all others.
package struct CountedTree<Element: Sendable>: Sendable {
  private var root = Node()

  /// Creates an empty tree.
  package init() {}

  /// Creates a tree of elements, in O(n).
  package init(_ elements: some Sequence<Element>) {
    var level = Self.chunks(of: Array(elements)).map { Node(elements: Array($0)) }
    while level.count > 1 { level = Self.chunks(of: level).map { Node(children: Array($0)) } }
    if let only = level.first { root = only }
  }

  /// The number of elements.
  package var count: Int { root.count }

  /// The element at an index, in O(log n).
  package subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count, "no element has this index")
      return root.element(at: index)
    }
    set {
      precondition(index >= 0 && index < count, "no element has this index")
      root.replace(at: index, with: newValue)
    }
  }

  /// Inserts an element at an index, in O(log n).
  package mutating func insert(_ element: Element, at index: Int) {
    precondition(index >= 0 && index <= count, "an element is inserted up to the end")
    guard let right = root.insert(element, at: index) else { return }
    root = Node(children: [root, right])
  }

  /// Removes an element and returns it, in O(log n).
  @discardableResult
  package mutating func remove(at index: Int) -> Element {
    precondition(index >= 0 && index < count, "no element has this index")
    let element = root.remove(at: index)
    if root.children.count == 1 { root = root.children[0] }
    return element
  }

  /// Returns the elements of the leaf that contains an element, and the element's offset in the
  /// leaf.
  package func leaf(at index: Int) -> (elements: [Element], offset: Int) {
    precondition(index >= 0 && index < count, "no element has this index")
    return root.leaf(at: index)
  }

  /// Traps unless the counts are right, all leaves are equally deep, and no node is too wide.
  package func checkInvariants() { _ = root.checkInvariants(isRoot: true) }

  /// Returns slices of about three quarters of a node's width, which leaves room for insertions.
  private static func chunks<T>(of all: [T]) -> [ArraySlice<T>] {
    let parts = (all.count + Node.widthMax * 3 / 4 - 1) / (Node.widthMax * 3 / 4)
    return (0..<parts).map { all[all.count * $0 / parts..<all.count * ($0 + 1) / parts] }
  }
}

extension CountedTree {
  /// A leaf with elements, or an inner node with children.
  ///
  /// A node is a value: its arrays determine what is shared and what an edit may change in place.
  struct Node: Sendable {
    private(set) var count = 0
    private(set) var elements: [Element] = []
    private(set) var children: [Node] = []

    #if DEBUG
      /// A small width, so that tests with few elements have several levels.
      static var widthMax: Int { 6 }
    #else
      static var widthMax: Int { 16 }
    #endif
    static var widthMin: Int { widthMax / 3 }

    init(elements: [Element] = []) {
      self.elements = elements
      count = elements.count
    }

    init(children: [Node]) {
      self.children = children
      count = children.reduce(0) { $0 + $1.count }
    }
  }
}

extension CountedTree.Node {
  private var width: Int { children.isEmpty ? elements.count : children.count }

  func element(at index: Int) -> Element {
    guard !children.isEmpty else { return elements[index] }
    let (child, offset) = place(of: index)
    return children[child].element(at: offset)
  }

  func leaf(at index: Int) -> (elements: [Element], offset: Int) {
    guard !children.isEmpty else { return (elements, index) }
    let (child, offset) = place(of: index)
    return children[child].leaf(at: offset)
  }

  mutating func replace(at index: Int, with element: Element) {
    guard !children.isEmpty else { return elements[index] = element }
    let (child, offset) = place(of: index)
    children[child].replace(at: offset, with: element)
  }

  /// Inserts an element; returns the split-off right half if the node became too wide.
  mutating func insert(_ element: Element, at index: Int) -> Self? {
    count += 1
    if children.isEmpty {
      elements.insert(element, at: index)
    } else {
      // An element at the end goes into the last child.
      let (child, offset) = index == count - 1 ? lastEnd : place(of: index)
      if let right = children[child].insert(element, at: offset) {
        children.insert(right, at: child + 1)
      }
    }
    return splitOff()
  }

  mutating func remove(at index: Int) -> Element {
    count -= 1
    guard !children.isEmpty else { return elements.remove(at: index) }
    let (child, offset) = place(of: index)
    let element = children[child].remove(at: offset)
    if children[child].width < Self.widthMin { mend(child) }
    return element
  }

  /// Traps unless the subtree is valid; returns its depth.
  @discardableResult
  func checkInvariants(isRoot: Bool = false) -> Int {
    precondition(width <= Self.widthMax && (isRoot || width >= Self.widthMin))
    precondition(elements.isEmpty || children.isEmpty)
    precondition(count == elements.count + children.reduce(0) { $0 + $1.count })
    var depth = 0
    for child in children {
      let below = child.checkInvariants()
      precondition(depth == 0 || depth == below + 1)
      depth = below + 1
    }
    return max(depth, 1)
  }

  private func place(of index: Int) -> (child: Int, offset: Int) {
    var (child, offset) = (0, index)
    while offset >= children[child].count {
      offset -= children[child].count
      child += 1
    }
    return (child, offset)
  }

  private var lastEnd: (child: Int, offset: Int) {
    (children.count - 1, children[children.count - 1].count)
  }

  /// Joins a child that became too narrow with a neighbour, and splits them again if necessary.
  private mutating func mend(_ child: Int) {
    guard children.count > 1 else { return }
    let left = max(child - 1, 0)
    let right = children.remove(at: left + 1)
    children[left].append(right)
    if let half = children[left].splitOff() { children.insert(half, at: left + 1) }
  }

  private mutating func append(_ other: Self) {
    elements += other.elements
    children += other.children
    count += other.count
  }

  private mutating func splitOff() -> Self? {
    guard width > Self.widthMax else { return nil }
    let middle = width / 2
    guard !children.isEmpty else {
      let right = Self(elements: Array(elements[middle...]))
      elements.removeSubrange(middle...)
      count -= right.count
      return right
    }
    let right = Self(children: Array(children[middle...]))
    children.removeSubrange(middle...)
    count -= right.count
    return right
  }
}
