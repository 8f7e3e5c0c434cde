import Synchronization

/// Ports that no program is given by chance, as those lie above: so what is free here is free still
/// once who listened there has ended, and nobody else answers in its place.
package enum Port {
  private static let numbers: Range<UInt16> = 12_000..<32_000
  private static let given = Mutex<Set<UInt16>>([])

  /// One that this process was not given before, so that none of its tests listens where another
  /// expects nobody to answer.
  package static func next() -> UInt16 {
    given.withLock { given in
      while true {
        let number = UInt16.random(in: numbers)
        if given.count >= numbers.count || given.insert(number).inserted { return number }
      }
    }
  }

  /// What comes to listen at one of these, whichever is free.
  ///
  /// It throws what the last of many tries threw.
  package static func listening<Server>(_ server: (UInt16) throws -> Server) throws -> Server {
    for _ in 0..<100 {
      if let server = try? server(next()) { return server }
    }
    return try server(next())
  }
}
