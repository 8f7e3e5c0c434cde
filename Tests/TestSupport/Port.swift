/// Ports that no program is given by chance, as those lie above: so what is free here is free still
/// once who listened there has ended, and nobody else answers in its place.
package enum Port {
  /// What comes to listen at one of these, whichever is free.
  ///
  /// It throws what the last of many tries threw.
  package static func listening<Server>(_ server: (UInt16) throws -> Server) throws -> Server {
    for _ in 0..<100 {
      if let server = try? server(.random(in: 12_000..<32_000)) { return server }
    }
    return try server(.random(in: 12_000..<32_000))
  }
}
