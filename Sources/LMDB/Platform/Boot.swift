#if canImport(Darwin)
  import Darwin
#endif

/// What tells the machine's present run, from its start to its end, from all others.
///
/// Whatever was written to files during a run can be read during the same run, flushed or not; what
/// was not flushed may be lost, in any part, with the run. A process that sleeps with the machine
/// wakes in the same run. A run says nothing of a volume that is torn off it meanwhile.
package struct Boot: Hashable, Sendable {
  /// The first half of its identity.
  package let high: UInt64
  /// The second half.
  package let low: UInt64

  /// A run of that identity; `nil` where it has none, as all its bits are 0.
  package init?(high: UInt64, low: UInt64) {
    guard high != 0 || low != 0 else { return nil }
    self.high = high
    self.low = low
  }

  /// The run that a UUID names, in its usual text, which white space may follow.
  package init?(uuid text: String) {
    let (count, bytes) = (36, text.utf8)
    guard bytes.count >= count, bytes.dropFirst(count).first.map({ $0 <= 32 }) ?? true
    else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (place, byte) in bytes.prefix(count).enumerated() {
      if place == 8 || place == 13 || place == 18 || place == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Self.digit(byte) else { return nil }
      (high, low) = (high << 4 | low >> 60, low << 4 | digit)
    }
    self.init(high: high, low: low)
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
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
      return Boot(
        high: UInt64(bitPattern: Int64(time.tv_sec)), low: UInt64(bitPattern: Int64(time.tv_usec)))
    }
  #endif
}

extension Boot: CustomStringConvertible {
  /// The identity as 32 hexadecimal digits.
  package var description: String {
    [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
