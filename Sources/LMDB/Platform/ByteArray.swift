#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension [UInt8] {
  /// The bytes, borrowed.
  @inlinable
  package var raw: RawSpan {
    @_lifetime(borrow self) get { unsafe span.bytes }
  }

  /// Calls `body` with the bytes, to be changed in place.
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

  /// Appends the `headCount` lowest bytes of an integer, lowest first, and a copy of `bytes`.
  package mutating func append(_ head: UInt64, _ headCount: Int, copying bytes: RawSpan) {
    precondition(headCount <= 8, "an integer has 8 bytes")
    let count = bytes.byteCount
    append(addingCapacity: 8 + count) { span in
      unsafe span.withUnsafeMutableBufferPointer { buffer, written in
        let room = UnsafeMutableRawBufferPointer(buffer)
        unsafe room.storeBytes(of: head.littleEndian, toByteOffset: written, as: UInt64.self)
        written += headCount
        unsafe bytes.withUnsafeBytes { source in
          guard let from = source.baseAddress, let to = room.baseAddress else { return }
          unsafe (to + written).copyMemory(from: from, byteCount: count)
        }
        written += count
      }
    }
  }

  /// Appends an integer in little-endian order.
  @inlinable
  package mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
    for shift in stride(from: 0, to: T.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> T(shift)))
    }
  }
}

extension UInt8 {
  /// The byte in lower case if it is an ASCII letter; any other byte unchanged.
  @inlinable @inline(__always)
  package var small: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension [UInt8] {
  /// Writes an integer at `offset`, in little-endian order.
  ///
  /// Traps if it doesn't lie within the array.
  @inlinable @inline(__always)
  package mutating func store<T: FixedWidthInteger & BitwiseCopyable>(
    integer value: T, at offset: Int
  ) {
    var span = mutableSpan
    var bytes = unsafe span.mutableBytes
    bytes.store(integer: value, at: offset)
  }

  /// Writes a copy of `bytes` at `offset`.
  ///
  /// Traps if they don't fit.
  package mutating func store(copying bytes: RawSpan, at offset: Int) {
    var span = mutableSpan
    var mine = unsafe span.mutableBytes
    mine.store(copying: bytes, at: offset)
  }

  /// Copies a part of the array to `offset`; source and target may overlap.
  ///
  /// Traps if either doesn't lie within the array.
  package mutating func copy(_ range: Range<Int>, to offset: Int) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count && offset >= 0
        && offset <= count - range.count, "no room for the bytes")
    unsafe withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe memmove(base + offset, base + range.lowerBound, range.count)
    }
  }

  /// Appends a copy of a part of the array.
  package mutating func appendCopy(of range: Range<Int>) {
    let end = count
    extend(by: range.count)
    copy(range, to: end)
  }

  /// Replaces the capital ASCII letters of a part by small ones.
  ///
  /// Traps if it doesn't lie within the array.
  package mutating func makeSmall(_ range: Range<Int>) {
    var span = mutableSpan
    precondition(range.lowerBound >= 0 && range.upperBound <= span.count, "not in the array")
    for index in range { unsafe span[unchecked: index] = unsafe span[unchecked: index].small }
  }

  /// Appends `count` zeros.
  package mutating func extend(by count: Int) {
    append(addingCapacity: count) { span in span.append(repeating: 0, count: count) }
  }
}
