/// A key and its value, lent for as long as the call that it is passed to takes.
package struct TreeEntry: ~Escapable {
  package let key: RawSpan
  package let value: RawSpan
  /// The leaf page that holds the key.
  package let page: UInt64
  /// Whether the value is the descriptor of a named table.
  let isTable: Bool

  @_lifetime(copy key, copy value)
  init(key: RawSpan, value: RawSpan, page: UInt64, isTable: Bool = false) {
    self.key = key
    self.value = value
    self.page = page
    self.isTable = isTable
  }

  /// The table that this is the entry of.
  package var table: NamedTree? {
    isTable ? NamedTree(name: key.array, tree: TreeDescriptor(value, at: 0)) : nil
  }
}
