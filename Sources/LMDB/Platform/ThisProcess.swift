#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process that asks.
package enum ThisProcess {
  /// The number that the system gave it, which another has once it is gone.
  package static var number: Int { Int(getpid()) }

  /// Has a signal do nothing by itself, so that it can be watched for; says whether it did nothing
  /// before.
  package static func ignore(_ number: CInt) -> Bool {
    let before = unsafe unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
    return unsafe before == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
