package import Foundation

extension Process {
  private static let beginnings = NSLock()

  /// Begins a process as `setUp` has set it up, beside which no other is begun; returns what that
  /// returned, such as the pipes it made.
  ///
  /// On Linux, Foundation notices that a process has ended by a socket that nobody else is to have.
  /// A process that is begun in the same moment can inherit it, and the pipes: who waits for the
  /// one then waits for the other, and for ever where the other waits for him. Of 854 processes
  /// that six threads began beside others, the ends of 34 were noticed only when another had ended;
  /// of 2,628 that were begun one after the other, none.
  package static func begun<R>(_ setUp: (Process) throws -> R) throws -> (Process, R) {
    try beginnings.withLock {
      let process = Process()
      let result = try setUp(process)
      try process.run()
      return (process, result)
    }
  }
}
