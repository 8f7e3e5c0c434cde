extension [UInt8] {
  /// The bytes, borrowed.
  @inlinable
  package var raw: RawSpan {
    @_lifetime(borrow self) get { unsafe span.bytes }
  }

  /// Calls `body` with the bytes to change in place.
  @inlinable
  package mutating func withMutableBytes<R>(_ body: (inout MutableRawSpan) -> R) -> R {
    var span = mutableSpan
    var bytes = unsafe span.mutableBytes
    return body(&bytes)
  }

  /// Appends a copy of `bytes`.
  @inlinable
  package mutating func append(copying bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// Appends an integer in little-endian order.
  @inlinable
  package mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
    for shift in stride(from: 0, to: T.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> T(shift)))
    }
  }
}
