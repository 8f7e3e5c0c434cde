/// What is to be known of a view to tell it of a row's change: beside one another for all views of
/// a collection, so that telling them retains none.
struct Listener {
  /// The view, by its place among all.
  let place: UInt16
  /// The number of its lists in the journal.
  let number: UInt16
  /// Whether what happens to it is journaled.
  let isKept: Bool
  /// The number of the last row that it is told of.
  var reach: UInt32
  let plan: ViewPlan

  /// What is to be known of a view as it is.
  init(_ view: KeptView, at place: Int) {
    self.place = UInt16(place)
    number = view.number
    isKept = view.isKept
    reach = view.builtThrough
    plan = view.plan
  }
}
