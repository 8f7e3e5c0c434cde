import Synchronization

/// Ports below the range that the system assigns from: a port that is free here stays free after
/// its listener has ended, and no other program answers on it.
package enum Port {
  private static let numbers: Range<UInt16> = 12_000..<32_000
  private static let given = Mutex<Set<UInt16>>([])

  /// Returns a port that this process hasn't handed out before, so that no test listens where
  /// another expects no answer.
  package static func next() -> UInt16 {
    given.withLock { given in
      while true {
        let number = UInt16.random(in: numbers)
        if given.count >= numbers.count || given.insert(number).inserted { return number }
      }
    }
  }

  /// Returns the result of `server` for the first of these ports that is free.
  ///
  /// It throws the error of the last of many attempts.
  package static func listening<Server>(_ server: (UInt16) throws -> Server) throws -> Server {
    for _ in 0..<100 {
      if let server = try? server(next()) { return server }
    }
    return try server(next())
  }
}
