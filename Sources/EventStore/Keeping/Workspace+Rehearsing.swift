extension Workspace {
  /// Asks for the index of a row that is shown, for nobody: so that who asks first doesn't wait for
  /// what is needed but once, which is the code, and the upper pages of names, rows and lists.
  ///
  /// Of what can't be read nothing is said: who asks for it is told.
  func rehearse() {
    guard let (list, id) = rowsAtHand?.first else { return }
    let collection = shelf(of: list.view).collection
    guard let row = try? state.glimpse(id, in: collection) else { return }
    _ = try? index(of: row, in: list)
  }
}
