/// The data needed to tell a view about a row's change, stored contiguously for all views of a
/// collection to avoid retaining each view.
struct Listener {
  /// The view's place among all views.
  let place: UInt16
  /// The number of the view's lists in the journal.
  let number: UInt16
  /// Whether the view's changes are journaled.
  let isKept: Bool
  /// The number of the last row that the view is told about.
  var reach: UInt32
  let plan: ViewPlan

  /// Captures the current state of a view.
  init(_ view: KeptView, at place: Int) {
    self.place = UInt16(place)
    number = view.number
    isKept = view.isKept
    reach = view.builtThrough
    plan = view.plan
  }
}
