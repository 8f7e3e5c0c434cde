/// The id of a list: a view, or one group of it.
struct ListID: Hashable, Sendable {
  /// The index of the view among the reducer's.
  let view: Int
  /// The word of the group; 0 if the view has no groups.
  let group: UInt64
}
