/// The rows of a list, as a value: copies share what they have in common.
///
/// A copy costs O(1), a row by its index O(log n), and ``ChangeSet/applying(to:)`` O(k log n) for k
/// edits. Equal lists have equal rows in the same order, however they came about.
public struct RowList: Sendable {
  package var tree: CountedTree<Row>

  /// A list of rows, in O(n).
  public init(_ rows: some Sequence<Row>) { tree = CountedTree(rows) }

  package init(_ tree: CountedTree<Row>) { self.tree = tree }
}

extension RowList: RandomAccessCollection {
  /// The index of the first row.
  public var startIndex: Int { 0 }

  /// The index behind the last row: how many there are.
  public var endIndex: Int { tree.count }

  /// The row of that index.
  ///
  /// - Complexity: O(log n).
  public subscript(index: Int) -> Row { tree[index] }

  /// The rows one after the other, in O(1) each.
  public func makeIterator() -> Iterator { Iterator(tree: tree) }

  /// The rows one after the other.
  public struct Iterator: IteratorProtocol {
    let tree: CountedTree<Row>
    private var leaf: [Row] = []
    private var offset = 0
    private var behindLeaf = 0

    init(tree: CountedTree<Row>) { self.tree = tree }

    /// The next row.
    public mutating func next() -> Row? {
      if offset == leaf.count {
        guard behindLeaf < tree.count else { return nil }
        (leaf, offset) = tree.leaf(at: behindLeaf)
        behindLeaf += leaf.count
      }
      defer { offset += 1 }
      return leaf[offset]
    }
  }
}

extension RowList: ExpressibleByArrayLiteral {
  /// A list of the rows that are written down.
  public init(arrayLiteral rows: Row...) { self.init(rows) }
}

extension RowList: Hashable {
  /// Whether the rows are equal; leaves that both share are not looked into.
  public static func == (a: RowList, b: RowList) -> Bool {
    guard a.count == b.count else { return false }
    var index = 0
    while index < a.count {
      let (left, leftOffset) = a.tree.leaf(at: index)
      let (right, rightOffset) = b.tree.leaf(at: index)
      // Arrays that are one and the same are equal at once.
      if leftOffset == 0, rightOffset == 0, left.count == right.count {
        guard left == right else { return false }
        index += left.count
      } else {
        let common = Swift.min(left.count - leftOffset, right.count - rightOffset)
        guard left[leftOffset..<leftOffset + common] == right[rightOffset..<rightOffset + common]
        else { return false }
        index += common
      }
    }
    return true
  }

  /// Hashes the rows, not how the tree holds them.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for row in self { hasher.combine(row) }
  }
}

extension RowList: Codable {
  /// Reads the rows.
  public init(from decoder: any Decoder) throws {
    self.init(try [Row](from: decoder))
  }

  /// Writes the rows, as an array would.
  public func encode(to encoder: any Encoder) throws {
    try Array(self).encode(to: encoder)
  }
}
