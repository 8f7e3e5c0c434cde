#if canImport(Darwin)
  import Darwin
#endif

/// The identity of a boot of the machine: of one run, from its start to its end.
///
/// Whatever was written to files during a boot can be read during the same boot, flushed or not.
/// What was not flushed may be lost with the boot, in any part. A process that sleeps with the
/// machine wakes in the same boot. A boot says nothing about a volume that is detached in the
/// meantime.
package struct Boot: Hashable, Sendable {
  /// Its identity.
  package let id: UInt128

  /// A boot with that identity; `nil` if all its bits are 0, which means none.
  package init?(id: UInt128) {
    guard id != 0 else { return nil }
    self.id = id
  }

  /// The boot that a UUID in standard text form identifies; white space may follow.
  package init?(uuid text: String) {
    let (count, bytes) = (36, text.utf8)
    guard bytes.count >= count, bytes.dropFirst(count).first.map({ $0 <= 32 }) ?? true
    else { return nil }
    let parts = text.prefix(count).split(separator: "-", omittingEmptySubsequences: false)
    // A sign would be parsed as part of the number.
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], text.first != "+",
      let id = UInt128(parts.joined(), radix: 16)
    else { return nil }
    self.init(id: id)
  }

  /// The current boot, or `nil` if the system doesn't report one.
  package static let current: Boot? = read()

  private static func read() -> Boot? {
    #if canImport(Darwin)
      session ?? start
    #elseif os(Linux) || os(Android)
      (try? File("/proc/sys/kernel/random/boot_id", .read).bytes(at: 0, count: 64)).flatMap {
        Boot(uuid: String(decoding: $0, as: UTF8.self))
      }
    #else
      nil
    #endif
  }

  #if canImport(Darwin)
    /// The boot by the identifier that the system gave it.
    private static var session: Boot? {
      var bytes = [UInt8](repeating: 0, count: 64)
      var count = bytes.count
      let result = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe sysctlbyname("kern.bootsessionuuid", buffer.baseAddress, &count, nil, 0)
      }
      guard result == 0, count <= bytes.count else { return nil }
      return Boot(uuid: String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self))
    }

    /// The boot by its start time.
    ///
    /// The system adjusts that time with the wall clock, so one boot may appear as two, but two
    /// will hardly appear as one.
    private static var start: Boot? {
      var time = timeval()
      var count = MemoryLayout<timeval>.size
      guard unsafe sysctlbyname("kern.boottime", &time, &count, nil, 0) == 0 else { return nil }
      let (seconds, fraction) = (Int64(time.tv_sec), Int64(time.tv_usec))
      return Boot(id: UInt128(UInt64(bitPattern: seconds)) << 64 | UInt128(fraction.magnitude))
    }
  #endif
}
