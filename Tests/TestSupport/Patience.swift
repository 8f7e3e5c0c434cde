extension Duration {
  /// How long to wait for what has to come, where nothing is claimed about when it does: longer
  /// than it takes on any machine, and shorter than a suite may take.
  package static var ample: Duration { .seconds(180) }
}
