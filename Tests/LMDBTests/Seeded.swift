/// A generator whose numbers depend on its seed alone (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 up to, but not including, `bound`.
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// Returns `true` with a chance of one in `times`.
  mutating func onceIn(_ times: Int) -> Bool { below(times) == 0 }

  /// Returns random bytes, fewer than `bound` of them.
  mutating func bytes(below bound: Int) -> [UInt8] {
    let count = below(bound)
    let fill = UInt8(truncatingIfNeeded: next())
    var bytes = [UInt8](repeating: fill, count: count)
    for index in bytes.indices.prefix(8) { bytes[index] = UInt8(truncatingIfNeeded: next()) }
    return bytes
  }
}
