#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The current process.
package enum ThisProcess {
  /// The process id, which the system may reuse once the process is gone.
  package static var number: Int { Int(getpid()) }

  /// Ignores a signal, so that it can be watched for; returns whether it was ignored before.
  package static func ignore(_ number: CInt) -> Bool {
    let before = unsafe unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
    return unsafe before == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
