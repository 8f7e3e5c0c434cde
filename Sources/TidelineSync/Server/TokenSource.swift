/// Where tokens come from: an app's login.
public protocol TokenSource: Sendable {
  /// The token to ask with.
  ///
  /// It is asked for when synchronization begins, and again when the server has refused the last
  /// one: then another is wanted, or an error that says that there is none, as the person has to
  /// log in or nobody can be asked at present. After an error, and where the server refuses another
  /// as well, it is asked again after a while, later each time, up to five minutes; and at once
  /// when there is a network again, when the app comes to the foreground and by hand.
  func token(replacing refused: Token?) async throws -> Token?
}
