#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension RawSpan {
  /// Returns the little-endian integer at `offset`.
  ///
  /// Traps if it doesn't lie within the span.
  @inlinable @inline(__always)
  package func integer<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T
  {
    T(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Returns the byte at `offset`.
  @inlinable @inline(__always)
  package func byte(at offset: Int) -> UInt8 {
    unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
  }

  /// The first eight bytes as an integer in native byte order.
  @inlinable @inline(__always)
  package var nativeInteger: UInt64 { unsafe unsafeLoadUnaligned(as: UInt64.self) }

  /// A copy of the bytes.
  @inlinable
  package var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

  /// The bytes as text, or `nil` if they aren't UTF-8.
  ///
  /// Decoding replaces invalid UTF-8, so the bytes were valid if the text has the same ones.
  /// Checking that is faster than `String(validating:as:)`.
  package var text: String? {
    let text = unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    let isSame = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe equals(RawSpan(_unsafeElements: $0))
    }
    return isSame == true ? text : nil
  }

  /// Returns the bytes behind the first one like this, or `nil` if there is none.
  @_lifetime(copy self)
  package func behind(_ byte: UInt8) -> RawSpan? {
    var place = 0
    while place < byteCount {
      if self.byte(at: place) == byte { return extracting(droppingFirst: place + 1) }
      place += 1
    }
    return nil
  }

  /// Compares bytes lexicographically: negative if these come before the others, 0 if they are
  /// equal, otherwise positive.
  @inlinable
  package func compareBytes(with other: RawSpan) -> Int {
    let limit = Swift.min(byteCount, other.byteCount)
    var offset = 0
    while offset + 8 <= limit {
      let (mine, theirs) = (
        integer(UInt64.self, at: offset), other.integer(UInt64.self, at: offset)
      )
      if mine != theirs { return mine.byteSwapped < theirs.byteSwapped ? -1 : 1 }
      offset += 8
    }
    while offset < limit {
      let (mine, theirs) = (byte(at: offset), other.byte(at: offset))
      if mine != theirs { return mine < theirs ? -1 : 1 }
      offset += 1
    }
    return byteCount - other.byteCount
  }

  /// Whether both hold the same bytes.
  package func equals(_ other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    return unsafe withUnsafeBytes { mine in
      unsafe other.withUnsafeBytes { theirs in
        guard let left = mine.baseAddress, let right = theirs.baseAddress else { return true }
        return unsafe memcmp(left, right, byteCount) == 0
      }
    }
  }
}

extension OutputRawSpan {
  /// Appends an integer in little-endian order.
  @inlinable @inline(__always)
  @_lifetime(self: copy self)
  package mutating func append<T: FixedWidthInteger & BitwiseCopyable>(integer value: T) {
    unsafe append(value.littleEndian, as: T.self)
  }

  /// Appends a copy of `bytes`.
  @_lifetime(self: copy self)
  package mutating func append(copying bytes: RawSpan) {
    precondition(bytes.byteCount <= freeCapacity, "no room for \(bytes.byteCount) bytes")
    let count = bytes.byteCount
    unsafe withUnsafeMutableBytes { (buffer, initialized: inout Int) in
      unsafe bytes.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = buffer.baseAddress else { return }
        unsafe (to + initialized).copyMemory(from: from, byteCount: count)
      }
      initialized += count
    }
  }
}

extension MutableRawSpan {
  /// Writes an integer at `offset`, in little-endian order.
  @inlinable @inline(__always)
  @_lifetime(self: copy self)
  package mutating func store<T: FixedWidthInteger & BitwiseCopyable>(
    integer value: T, at offset: Int
  ) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
  }

  /// Writes a copy of `bytes` at `offset`.
  ///
  /// Traps if they don't fit.
  @_lifetime(self: copy self)
  package mutating func store(copying bytes: RawSpan, at offset: Int) {
    precondition(offset >= 0 && offset + bytes.byteCount <= byteCount, "no room for the bytes")
    unsafe withUnsafeMutableBytes { buffer in
      unsafe bytes.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = buffer.baseAddress else { return }
        unsafe (to + offset).copyMemory(from: from, byteCount: source.count)
      }
    }
  }
}
