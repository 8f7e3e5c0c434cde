/// The state of the app's environment as far as is known.
///
/// By default, the app is in use and has a network.
package struct Surroundings: Hashable, Sendable {
  /// Whether there is a network.
  package var isOnline = true
  /// Whether the app is in use.
  package var isForeground = true
  /// Whether there is a token, or none is needed.
  package var hasToken = true

  /// Creates the default state.
  package init() {}
}
