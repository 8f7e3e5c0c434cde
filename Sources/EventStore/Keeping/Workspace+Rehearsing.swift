extension Workspace {
  /// Looks up the index of a shown row and discards it, so that the first real query doesn't wait
  /// for one-time costs: code, and the upper pages of names, rows and lists.
  ///
  /// Ignores unreadable data, which real queries report.
  func rehearse() {
    guard let (list, id) = rowsAtHand?.first else { return }
    let collection = shelf(of: list.view).collection
    guard let row = try? state.glimpse(id, in: collection) else { return }
    _ = try? index(of: row, in: list)
  }
}
