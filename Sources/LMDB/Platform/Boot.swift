#if canImport(Darwin)
  import Darwin
#endif

/// What tells the machine's present run, from its start to its end, from all others.
///
/// Whatever was written to files during a run can be read during the same run, flushed or not; what
/// was not flushed may be lost, in any part, with the run. A process that sleeps with the machine
/// wakes in the same run. A run says nothing of a volume that is torn off it meanwhile.
package struct Boot: Hashable, Sendable {
  /// Its identity.
  package let id: UInt128

  /// A run of that identity; `nil` where it has none, as all its bits are 0.
  package init?(id: UInt128) {
    guard id != 0 else { return nil }
    self.id = id
  }

  /// The run that a UUID names, in its usual text, which white space may follow.
  package init?(uuid text: String) {
    let (count, bytes) = (36, text.utf8)
    guard bytes.count >= count, bytes.dropFirst(count).first.map({ $0 <= 32 }) ?? true
    else { return nil }
    let parts = text.prefix(count).split(separator: "-", omittingEmptySubsequences: false)
    // A sign would be read as a part of the number.
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], text.first != "+",
      let id = UInt128(parts.joined(), radix: 16)
    else { return nil }
    self.init(id: id)
  }

  /// The present run, or `nil` where the system doesn't say.
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
    /// The run by the name that the system gave it.
    private static var session: Boot? {
      var bytes = [UInt8](repeating: 0, count: 64)
      var count = bytes.count
      let result = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe sysctlbyname("kern.bootsessionuuid", buffer.baseAddress, &count, nil, 0)
      }
      guard result == 0, count <= bytes.count else { return nil }
      return Boot(uuid: String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self))
    }

    /// The run by the moment at which it began.
    ///
    /// The system moves that moment with the wall clock, and so may call one run two, but hardly
    /// two one.
    private static var start: Boot? {
      var time = timeval()
      var count = MemoryLayout<timeval>.size
      guard unsafe sysctlbyname("kern.boottime", &time, &count, nil, 0) == 0 else { return nil }
      let (seconds, fraction) = (Int64(time.tv_sec), Int64(time.tv_usec))
      return Boot(id: UInt128(UInt64(bitPattern: seconds)) << 64 | UInt128(fraction.magnitude))
    }
  #endif
}
