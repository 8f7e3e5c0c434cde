/// Maps fixed-size values to unsigned integers in the same order: their codes.
///
/// NaN comes after all numbers.
package enum FixedOrder {
  private static let sign: UInt64 = 1 << 63

  /// Returns the code of a slot's value.
  @inline(__always)
  package static func code(of slot: UInt64, _ kind: FieldKind) -> UInt64 {
    switch kind {
    case .integer, .timestamp: slot ^ sign
    case .double: slot & sign == 0 ? slot | sign : ~slot
    case .boolean, .text, .texts, .reference, .link: slot
    }
  }

  /// Returns the greatest code of a kind.
  package static func greatest(_ kind: FieldKind) -> UInt64 { kind == .boolean ? 1 : .max }

  /// Returns the codes of the values that compare to a constant in this way.
  package static func codes(
    _ comparison: Condition.Comparison, _ slot: UInt64, _ kind: FieldKind
  ) -> IntervalSet {
    let range = comparable(kind)
    let code = code(of: slot, kind)
    guard range.contains(code) else { return IntervalSet([], upTo: greatest(kind)) }
    let below = code > range.lowerBound ? [range.lowerBound...(code - 1)] : []
    let above = code < range.upperBound ? [(code + 1)...range.upperBound] : []
    let intervals =
      switch comparison {
      case .equal: [code...code]
      case .less: below
      case .lessOrEqual: below + [code...code]
      case .greater: above
      case .greaterOrEqual: above + [code...code]
      }
    return IntervalSet(intervals, upTo: greatest(kind))
  }

  /// The codes of the values that can be compared at all: for doubles, all but NaN.
  private static func comparable(_ kind: FieldKind) -> ClosedRange<UInt64> {
    guard kind == .double else { return 0...greatest(kind) }
    let infinity = Double.infinity.bitPattern
    return code(of: infinity | sign, kind)...code(of: infinity, kind)
  }
}
