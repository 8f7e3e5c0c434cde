/// The rows of a list, as a value whose copies share their common parts.
///
/// Copying costs O(1), accessing a row by index O(log n), and ``ChangeSet/applying(to:)``
/// O(k log n) for k edits. Lists are equal if they have equal rows in the same order, however they
/// were made.
public struct RowList: Sendable {
  package var tree: CountedTree<Row>

  /// Creates a list of rows, in O(n).
  public init(_ rows: some Sequence<Row>) { tree = CountedTree(rows) }

  package init(_ tree: CountedTree<Row>) { self.tree = tree }
}

extension RowList: RandomAccessCollection {
  /// The index of the first row.
  public var startIndex: Int { 0 }

  /// The index after the last row, which equals the number of rows.
  public var endIndex: Int { tree.count }

  /// The row at an index.
  ///
  /// - Complexity: O(log n).
  public subscript(index: Int) -> Row { tree[index] }

  /// Returns an iterator over the rows, in O(1) per row.
  public func makeIterator() -> Iterator { Iterator(tree: tree) }

  /// An iterator over the rows.
  public struct Iterator: IteratorProtocol {
    let tree: CountedTree<Row>
    private var leaf: [Row] = []
    private var offset = 0
    private var behindLeaf = 0

    init(tree: CountedTree<Row>) { self.tree = tree }

    /// Returns the next row, or `nil` at the end.
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
  /// Creates a list of the rows in an array literal.
  public init(arrayLiteral rows: Row...) { self.init(rows) }
}

extension RowList: Hashable {
  /// Returns whether the rows are equal; leaves shared by both lists are not compared row by row.
  public static func == (a: RowList, b: RowList) -> Bool {
    guard a.count == b.count else { return false }
    var index = 0
    while index < a.count {
      let (left, leftOffset) = a.tree.leaf(at: index)
      let (right, rightOffset) = b.tree.leaf(at: index)
      // Arrays that share storage compare equal at once.
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

  /// Hashes the rows, regardless of how the tree stores them.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for row in self { hasher.combine(row) }
  }
}

extension RowList: Codable {
  /// Decodes the rows.
  public init(from decoder: any Decoder) throws {
    self.init(try [Row](from: decoder))
  }

  /// Encodes the rows like an array.
  public func encode(to encoder: any Encoder) throws {
    try Array(self).encode(to: encoder)
  }
}
