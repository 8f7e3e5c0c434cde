/// What is around an app, as far as is known: until it is told otherwise the app is in use, and
/// there is a network.
package struct Surroundings: Hashable, Sendable {
  /// Whether there is a network.
  package var isOnline = true
  /// Whether the app is in use.
  package var isForeground = true
  /// Whether there is a token, or none is needed.
  package var hasToken = true

  /// Those of which nothing is known.
  package init() {}
}
