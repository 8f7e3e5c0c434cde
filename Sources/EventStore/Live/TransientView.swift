/// A view that isn't one of the reducer's, and exists only while it is observed.
struct TransientView {
  let plan: ViewPlan
  /// The place of its collection among the reducer's.
  let collection: UInt8
  /// The number of observers, including those about to begin.
  var holds = 1
}
