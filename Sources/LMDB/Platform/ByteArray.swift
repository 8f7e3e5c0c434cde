extension [UInt8] {
  /// The bytes, borrowed.
  package var raw: RawSpan {
    @_lifetime(borrow self) get { unsafe span.bytes }
  }

  /// Appends a copy of `bytes`.
  @inlinable
  package mutating func append(copying bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
