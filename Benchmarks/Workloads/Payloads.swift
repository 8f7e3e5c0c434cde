/// Different payloads of one size, cut from one run of bytes so that making them costs nothing.
struct Payloads: Sendable {
  /// The run of bytes.
  let bytes: [UInt8]

  /// The size of each payload.
  let size: Int

  private static let count = 256
  private static let step = 8

  /// Creates the same payloads each time.
  init(size: Int) {
    self.size = size
    // SplitMix64 is short, and good enough that no two payloads look alike.
    var state: UInt64 = 1
    bytes = (0..<(size + Self.count * Self.step)).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
    }
  }

  /// Returns the range of payload number `index` in `bytes`; payloads repeat.
  func range(of index: Int) -> Range<Int> {
    let start = index % Self.count * Self.step
    return start..<(start + size)
  }
}
