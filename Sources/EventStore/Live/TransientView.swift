/// A view that is not one of the reducer's, and is there for as long as somebody looks at it.
struct TransientView {
  let plan: ViewPlan
  /// The place of its collection among the reducer's.
  let collection: UInt8
  /// How many look at it, or are about to.
  var holds = 1
}
