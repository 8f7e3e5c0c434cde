import LMDB

/// Pseudonyms that sort in the same order as the texts they replace.
///
/// Encoding narrows a text down, bit by bit, to an interval of fractions. Each bit divides the
/// remaining interval at a place determined by a secret and all preceding bits. Intervals of
/// different texts don't overlap and keep the texts' order. The pseudonym is the digits of a
/// fraction within the interval. Likely bits get the larger part, so a pseudonym has about as many
/// digits as the text has bytes, and exactly as many wherever that suffices to stay within the
/// interval.
///
/// A pseudonym reveals only the order of the texts, but that is not nothing: anyone who knows many
/// of the texts can narrow down others and may guess a first letter.
struct OrderCode: Sendable {
  /// The digits, ascending.
  private let digits: [UInt8]
  private let key: FingerprintKey
  /// The share of the lower part at each bit, out of 2¹⁶, in each context, indexed by a 1 followed
  /// by the byte's previous bits.
  private let shares: [[UInt32]]
  private let base: UInt64
  /// The power of the base that represents the whole.
  private let whole: UInt64
  /// The value of one unit of the first digit.
  private let unit: UInt64

  /// The share of a text's end, out of 2¹⁶, wherever the text could continue.
  private static let endShare: UInt64 = 65_536 / 24

  /// - Parameter weights: The likelihood of each byte in plain text.
  init(digits: String, weights: (UInt8) -> Int, key: FingerprintKey) {
    self.digits = Array(digits.utf8)
    self.key = key
    base = UInt64(self.digits.count)
    var (whole, unit) = (base, 1 as UInt64)
    while whole < 1 << 62 / base { (whole, unit) = (whole * base, whole) }
    (self.whole, self.unit) = (whole, unit)
    let plain = (0...UInt8.max).map(weights)
    shares = ByteContext.Kind.allCases.map { kind in
      Self.shares((0...UInt8.max).map { ByteContext.weight(of: $0, in: kind, plain[Int($0)]) })
    }
  }

  /// Returns the shares for the weights of all bytes.
  private static func shares(_ weights: [Int]) -> [UInt32] {
    var sums = [Int](repeating: 0, count: 256) + weights
    for node in (1..<256).reversed() { sums[node] = sums[2 * node] + sums[2 * node + 1] }
    return (0..<256).map { node in
      node == 0 ? 0 : UInt32(min(max(65_536 * sums[2 * node] / sums[node], 64), 65_472))
    }
  }

  /// The remaining part of the whole and the digits emitted so far.
  private struct Interval {
    var low: UInt64
    var width: UInt64
    var places: [UInt8]
  }

  /// Returns the pseudonym of a text.
  ///
  /// - Parameters:
  ///   - lower: The unreplaced text that precedes this one, if any.
  ///   - upper: The unreplaced text that follows this one, if any.
  /// - Complexity: O(n)
  func pseudonym(of text: RawSpan, after lower: [UInt8]?, before upper: [UInt8]?) -> [UInt8] {
    guard text.byteCount > 0 else { return [] }
    var (start, interval) = bounds(lower, upper)
    narrow(&interval)
    var (state, context) = (key.fingerprint(of: "order"), ByteContext())
    for offset in 0..<text.byteCount {
      let byte = text.byte(at: offset)
      divide(&interval, Self.endShare, takingUpper: true)
      let shares = shares[context.kind.rawValue]
      var node = 1
      for place in stride(from: 7, through: 0, by: -1) {
        let bit = Int(byte >> UInt8(place)) & 1
        divide(&interval, Self.share(shares[node], at: node, state), takingUpper: bit == 1)
        node = node << 1 | bit
      }
      state = hash(state, UInt64(byte))
      context.advance(over: byte)
    }
    divide(&interval, Self.endShare, takingUpper: false)
    finish(&interval, count: text.byteCount - start.count, hash(state, 256))
    start.append(contentsOf: interval.places.map { digits[Int($0)] })
    return start
  }

  /// Returns the lower half's share at a node, out of 2¹⁶, shifted by a secret factor of ½ to 2.
  private static func share(_ likely: UInt32, at node: Int, _ state: UInt64) -> UInt64 {
    var mixer = Mixer(seed: state)
    mixer.add(UInt64(node))
    let factor = 128 + (mixer.value & 0xFF) * 3 / 2
    let (lower, upper) = (UInt64(likely) * factor, (65_536 - UInt64(likely)) * 256)
    return min(max(65_536 * lower / (lower + upper), 1), 65_535)
  }

  private func hash(_ state: UInt64, _ symbol: UInt64) -> UInt64 {
    key.fingerprint(of: state, symbol)
  }

  private func divide(_ interval: inout Interval, _ share: UInt64, takingUpper: Bool) {
    let part = interval.width >> 16 * share
    if takingUpper {
      interval.low += part
      interval.width -= part
      if interval.low >= whole { carry(&interval) }
    } else {
      interval.width = part
    }
    narrow(&interval)
  }

  /// Emits the digits that are already certain.
  private func narrow(_ interval: inout Interval) {
    while interval.width < unit {
      interval.places.append(UInt8(interval.low / unit))
      interval.low = interval.low % unit * base
      interval.width *= base
    }
  }

  private func carry(_ interval: inout Interval) {
    interval.low -= whole
    var place = interval.places.count - 1
    while place >= 0, interval.places[place] == UInt8(base - 1) {
      interval.places[place] = 0
      place -= 1
    }
    if place >= 0 { interval.places[place] += 1 }
  }

  /// Appends the digits of a fraction within the interval, `count` in all where that suffices.
  private func finish(_ interval: inout Interval, count: Int, _ seed: UInt64) {
    var (step, rest) = (unit, count - interval.places.count - 1)
    while rest > 0, step > 1 { (step, rest) = (step / base, rest - 1) }
    let first = (interval.low + step - 1) / step
    let end = (interval.low + interval.width + step - 1) / step
    interval.low = (first + seed % max(end - first, 1)) * step
    if interval.low >= whole { carry(&interval) }
    var unit = unit
    while unit >= step {
      interval.places.append(UInt8(interval.low / unit))
      interval.low %= unit
      unit /= base
    }
    for place in 0..<max(rest, 0) {
      var mixer = Mixer(seed: seed)
      mixer.add(UInt64(place))
      interval.places.append(UInt8(mixer.value % base))
    }
  }
}

extension OrderCode {
  /// Returns the digits shared by everything between two texts and the interval after them.
  private func bounds(_ lower: [UInt8]?, _ upper: [UInt8]?) -> ([UInt8], Interval) {
    var shared = 0
    if let lower, let upper {
      while shared < min(lower.count, upper.count), lower[shared] == upper[shared] { shared += 1 }
    }
    let start = Array((upper ?? []).prefix(shared))
    let low = lower.map { fraction($0.dropFirst(shared), isLower: true) } ?? 0
    let high = upper.map { fraction($0.dropFirst(shared), isLower: false) } ?? whole
    guard high > low, high - low >= unit >> 16 else {
      // No room is left between them.
      return (lower ?? [], Interval(low: 0, width: whole, places: []))
    }
    return (start, Interval(low: low, width: high - low, places: []))
  }

  /// Returns a text's position among the fractions; a lower bound itself is excluded.
  private func fraction(_ text: ArraySlice<UInt8>, isLower: Bool) -> UInt64 {
    var (sum, unit) = (0 as UInt64, unit)
    for byte in text where unit > 0 {
      let digit = digits.firstIndex { $0 >= byte } ?? digits.count
      sum += UInt64(digit) * unit
      guard digit < digits.count, digits[digit] == byte else { return sum }
      unit /= base
    }
    return isLower ? sum + 1 : sum
  }
}
