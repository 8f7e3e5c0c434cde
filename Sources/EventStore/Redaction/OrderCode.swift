import LMDB

/// Pseudonyms in the order of the texts that they stand for.
///
/// A text is narrowed down to an interval of fractions, bit by bit: each bit divides what is left,
/// at a place that a secret and all bits before it decide. Intervals of different texts don't
/// overlap and are in the texts' order; the pseudonym is the digits of a fraction within. Likely
/// bits get the larger part, so that the digits are about as many as the text has bytes; so many
/// they are wherever that is enough to stay within the interval.
///
/// It tells the order of the texts and nothing else, but that is something: who knows many of them
/// can narrow down others, and a first letter can be guessed at.
struct OrderCode: Sendable {
  /// The digits, ascending.
  private let digits: [UInt8]
  private let key: FingerprintKey
  /// How much of 2¹⁶ the lower part gets at each bit of a byte, by the bits before it behind a 1.
  private let shares: [UInt32]
  private let base: UInt64
  /// The power of the base that stands for the whole.
  private let whole: UInt64
  /// What one unit of the first digit is.
  private let unit: UInt64

  /// How much of 2¹⁶ a text's end has where it could go on.
  private static let endShare: UInt64 = 65_536 / 24

  /// - Parameter weights: How likely each byte is.
  init(digits: String, weights: (UInt8) -> Int, key: FingerprintKey) {
    self.digits = Array(digits.utf8)
    self.key = key
    base = UInt64(self.digits.count)
    var (whole, unit) = (base, 1 as UInt64)
    while whole < 1 << 62 / base { (whole, unit) = (whole * base, whole) }
    (self.whole, self.unit) = (whole, unit)
    var sums = [Int](repeating: 0, count: 256) + (0..<256).map { weights(UInt8($0)) }
    for node in (1..<256).reversed() { sums[node] = sums[2 * node] + sums[2 * node + 1] }
    shares = (0..<256).map { node in
      node == 0 ? 0 : UInt32(min(max(65_536 * sums[2 * node] / sums[node], 64), 65_472))
    }
  }

  /// What is left of the whole, and the digits before it.
  private struct Interval {
    var low: UInt64
    var width: UInt64
    var places: [UInt8]
  }

  /// The pseudonym of a text.
  ///
  /// - Parameters:
  ///   - lower: A text before this one that stays as it is, if any does.
  ///   - upper: A text behind it that stays as it is, if any does.
  /// - Complexity: O(n)
  func pseudonym(of text: RawSpan, after lower: [UInt8]?, before upper: [UInt8]?) -> [UInt8] {
    guard text.byteCount > 0 else { return [] }
    var (start, interval) = bounds(lower, upper)
    narrow(&interval)
    var state = key.fingerprint(of: "order")
    for offset in 0..<text.byteCount {
      let byte = text.byte(at: offset)
      divide(&interval, Self.endShare, takingUpper: true)
      var node = 1
      for place in stride(from: 7, through: 0, by: -1) {
        let bit = Int(byte >> UInt8(place)) & 1
        divide(&interval, share(of: node, state), takingUpper: bit == 1)
        node = node << 1 | bit
      }
      state = hash(state, UInt64(byte))
    }
    divide(&interval, Self.endShare, takingUpper: false)
    finish(&interval, count: text.byteCount - start.count, hash(state, 256))
    start.append(contentsOf: interval.places.map { digits[Int($0)] })
    return start
  }

  /// The part of 2¹⁶ that the lower half of a node gets, moved by a secret factor of ½ to 2.
  private func share(of node: Int, _ state: UInt64) -> UInt64 {
    var mixer = Mixer(seed: state)
    mixer.add(UInt64(node))
    let factor = 128 + (mixer.value & 0xFF) * 3 / 2
    let (lower, upper) = (UInt64(shares[node]) * factor, (65_536 - UInt64(shares[node])) * 256)
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

  /// Makes digits of what is certain.
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

  /// Appends the digits of a fraction within, so many in all where that is enough.
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
  /// The digits that everything between two texts begins with, and the interval behind them.
  private func bounds(_ lower: [UInt8]?, _ upper: [UInt8]?) -> ([UInt8], Interval) {
    var shared = 0
    if let lower, let upper {
      while shared < min(lower.count, upper.count), lower[shared] == upper[shared] { shared += 1 }
    }
    let start = Array((upper ?? []).prefix(shared))
    let low = lower.map { fraction($0.dropFirst(shared), isLower: true) } ?? 0
    let high = upper.map { fraction($0.dropFirst(shared), isLower: false) } ?? whole
    guard high > low, high - low >= unit >> 16 else {
      // There is no room between them.
      return (lower ?? [], Interval(low: 0, width: whole, places: []))
    }
    return (start, Interval(low: low, width: high - low, places: []))
  }

  /// Where a text stands among the fractions; one that is a bound below is not within.
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
