/// The fields in a set of bits, counted from 0, ascending.
struct FieldNumbers: Sequence, IteratorProtocol {
  private var rest: UInt64

  init(_ bits: UInt64) { rest = bits }

  @inline(__always)
  mutating func next() -> Int? {
    guard rest != 0 else { return nil }
    defer { rest &= rest - 1 }
    return rest.trailingZeroBitCount
  }
}
