/// A key and its value, lent for the duration of a call.
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

  /// The named table that this entry describes, if any.
  package var table: NamedTree? {
    isTable ? NamedTree(name: key.array, tree: TreeDescriptor(value, at: 0)) : nil
  }
}
