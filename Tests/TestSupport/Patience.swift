extension Duration {
  /// How long to wait for an event that must come, where its time doesn't matter: longer than it
  /// takes on any machine, and shorter than a suite may take.
  package static var ample: Duration { .seconds(180) }
}
