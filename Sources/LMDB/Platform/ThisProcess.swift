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
}
