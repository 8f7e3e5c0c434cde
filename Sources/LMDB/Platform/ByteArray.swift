extension [UInt8] {
  /// Appends a copy of `bytes`.
  @inlinable
  package mutating func append(copying bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
