import Foundation

/// A source of tokens, such as an app's login.
public protocol TokenSource: Sendable {
  /// Returns the token for requests.
  ///
  /// It is called when synchronization begins, and again after the server refused the last token.
  /// Then return a different token, or throw if there is none. A `URLError`, or a ``ServerFailure``
  /// of a kind that may pass, says that none could be fetched now: the status is
  /// ``SyncStatus/Obstacle/failing(until:)``. Any other error says that the person must log in:
  /// ``SyncStatus/Obstacle/unauthorized``. After an error or another refusal, it is called again
  /// after growing waits of up to five minutes. It is called at once when the network returns, when
  /// the app comes to the foreground and for a manual refresh, which an app requests once the
  /// person has logged in again.
  func token(replacing refused: Token?) async throws -> Token?
}

extension Error {
  /// Whether a source of tokens that failed so may have one later, without the person.
  var isOfDelayedToken: Bool {
    if let failure = self as? ServerFailure {
      return failure.reason != .unauthorized && failure.mayPass
    }
    return self is URLError
  }
}
