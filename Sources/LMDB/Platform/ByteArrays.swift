import CPlatform

/// Byte arrays by index, whose bytes are lent without reference counting.
package struct ByteArrays: Sendable {
  @usableFromInline var arrays: [[UInt8]] = []

  /// No arrays.
  @inlinable
  package init() {}

  /// The number of arrays.
  @inlinable
  package var count: Int { arrays.count }

  /// The array at an index; traps if there is none.
  @inlinable
  package subscript(index: Int) -> [UInt8] {
    get { arrays[index] }
    set { arrays[index] = newValue }
  }

  /// Returns the bytes of the array at an index; traps if there is none.
  @inlinable @inline(__always)
  @_lifetime(borrow self)
  package func bytes(at index: Int) -> RawSpan {
    // The array keeps its bytes in place as long as the arrays don't change.
    let bytes = unsafe arrays[index].withUnsafeBytes { unsafe $0 }
    return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
  }

  /// Returns the bytes of the array at an index, to be changed in place.
  ///
  /// Other holders of the array keep the old bytes. Traps if there is no such array.
  @inlinable @inline(__always)
  @_lifetime(&self)
  package mutating func mutableBytes(at index: Int) -> MutableRawSpan {
    // The array is now the only owner of its bytes, and keeps them in place.
    let bytes = unsafe arrays[index].withUnsafeMutableBytes { unsafe $0 }
    return unsafe _overrideLifetime(MutableRawSpan(_unsafeBytes: bytes), mutating: &self)
  }

  /// Prefetches one byte in `stride` of the first `count` bytes of the array at an index, if it
  /// exists, including bytes beyond its end if it is shorter.
  ///
  /// Doesn't wait: the array is neither read nor retained.
  package func prefetch(_ index: Int, _ count: Int, stride: Int) {
    guard arrays.indices.contains(index) else { return }
    let bytes = unsafe arrays[index].withUnsafeBytes { $0.baseAddress }
    unsafe tideline_prefetch_every(bytes, count, stride)
  }

  /// Appends an array.
  package mutating func append(_ array: [UInt8]) { arrays.append(array) }

  /// Removes the last array; traps if there is none.
  package mutating func removeLast() -> [UInt8] { arrays.removeLast() }

  /// Appends empty arrays until there are `count`.
  package mutating func grow(to count: Int) {
    let missing = count - arrays.count
    if missing > 0 { arrays.append(contentsOf: repeatElement([], count: missing)) }
  }
}
