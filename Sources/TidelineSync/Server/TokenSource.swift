/// Where tokens come from: an app's login.
public protocol TokenSource: Sendable {
  /// The token to ask with.
  ///
  /// It is asked for when synchronization begins, and again when the server has refused the last
  /// one: then another is wanted, or an error that says that the person has to log in. After an
  /// error it is asked again when the app comes to the foreground.
  func token(replacing refused: Token?) async throws -> Token?
}
