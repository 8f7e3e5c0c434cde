package import EventStore
import Synchronization

/// Simulated servers over HTTP, at a port that only this machine can reach.
///
///     let mail = MailServer(at: .now, seed: 1)
///     let server = try EmbeddedServer(Router(mail: mail)) { .now }
///     defer { server.stop() }
///
/// Its ``Router`` decides the answers; its state is lost with it.
package final class EmbeddedServer: Sendable {
  /// The port that it listens on.
  package let port: UInt16
  private let attendant: Attendant
  private let daemon: Mutex<Daemon?>

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 for any free port.
  ///   - now: Returns the current time.
  /// - Throws: ``PortTaken`` if the port is not free.
  package init(
    _ router: sending Router, port: UInt16 = 0, pace: ServerPace = ServerPace(),
    now: @escaping @Sendable () -> Timestamp
  ) throws(PortTaken) {
    let attendant = Attendant(router, pace, now: now)
    guard let daemon = Daemon(port: port, attendant) else { throw PortTaken(port: port) }
    self.attendant = attendant
    self.daemon = Mutex(daemon)
    self.port = daemon.port
  }

  deinit { stop() }

  /// The address of the server.
  package var address: String { "http://127.0.0.1:\(port)/" }

  /// Ends all connections; returns when no more requests are answered.
  package func stop() {
    attendant.ending.open()
    daemon.withLock { $0.take() }?.stop()
  }

  /// Calls a closure with the router, between requests.
  package func withRouter<Value: Sendable>(
    _ body: @Sendable (inout Router, Timestamp) -> Value
  ) -> Value {
    let now = attendant.now()
    return attendant.router.withLock { body(&$0, now) }
  }

  /// Makes a number of events happen per second, possibly none, until the task is cancelled.
  package func runTraffic(perSecond count: Int) async {
    let pause = count > 0 ? .seconds(1) / count : Duration.seconds(86_400)
    while (try? await Task.sleep(for: pause)) != nil {
      guard count > 0 else { continue }
      withRouter { router, now in _ = router.step(at: now) }
    }
  }
}

/// The error that a server can't listen on a port.
package struct PortTaken: Error, CustomStringConvertible {
  /// The port.
  package let port: UInt16

  package var description: String {
    "port \(port) is taken or not allowed. Name another, or leave it out for any free port."
  }
}
