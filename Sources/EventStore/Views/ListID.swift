/// A list: a view, or one group of it.
struct ListID: Hashable, Sendable {
  /// The view, by its place among the reducer's.
  let view: Int
  /// The word of the group; 0 where the view has none.
  let group: UInt64
}
