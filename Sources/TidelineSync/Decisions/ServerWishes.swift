/// The pauses that a server has requested.
///
/// They outlive the machine: an app whose synchronization begins anew each time it comes to the
/// foreground would otherwise ask again at once.
package struct ServerWishes {
  /// The time for which the server wants no request.
  var pause: Wait?
  /// The milliseconds for which the server wants no further manual refresh.
  var refreshPause: Int64?
}

extension SyncMachine {
  /// The pauses that the server has requested.
  package var wishes: ServerWishes {
    get { ServerWishes(pause: session.pause, refreshPause: refresh.pauseByServer) }
    set { (session.pause, refresh.pauseByServer) = (newValue.pause, newValue.refreshPause) }
  }
}
