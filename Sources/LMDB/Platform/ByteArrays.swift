import CPlatform

/// Byte arrays by index, whose bytes are lent without counting references to them.
package struct ByteArrays {
  @usableFromInline var arrays: [[UInt8]] = []

  /// None.
  @inlinable
  package init() {}

  /// How many there are.
  @inlinable
  package var count: Int { arrays.count }

  /// The array at an index; traps where there is none.
  @inlinable
  package subscript(index: Int) -> [UInt8] {
    get { arrays[index] }
    set { arrays[index] = newValue }
  }

  /// The bytes of the array at an index; traps where there is none.
  @inlinable @inline(__always)
  @_lifetime(borrow self)
  package func bytes(at index: Int) -> RawSpan {
    // The array keeps its bytes where they are as long as nobody changes the arrays.
    let bytes = unsafe arrays[index].withUnsafeBytes { unsafe $0 }
    return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
  }

  /// The bytes of the array at an index, to be changed in place.
  ///
  /// Another holder of the array keeps them as they are. Traps where there is none.
  @inlinable @inline(__always)
  @_lifetime(&self)
  package mutating func mutableBytes(at index: Int) -> MutableRawSpan {
    // The array has its bytes for itself now, and keeps them where they are.
    let bytes = unsafe arrays[index].withUnsafeMutableBytes { unsafe $0 }
    return unsafe _overrideLifetime(MutableRawSpan(_unsafeBytes: bytes), mutating: &self)
  }

  /// Has the processor fetch one in `stride` of the first `count` bytes of the array at an index,
  /// where there is one, since they are read soon; where it has fewer, what lies behind it as well.
  ///
  /// Nothing is waited for: the array is neither read nor counted a reference to.
  package func prefetch(_ index: Int, _ count: Int, stride: Int) {
    guard arrays.indices.contains(index) else { return }
    let bytes = unsafe arrays[index].withUnsafeBytes { $0.baseAddress }
    unsafe tideline_prefetch_every(bytes, count, stride)
  }

  /// Appends empty arrays until there are so many.
  package mutating func grow(to count: Int) {
    let missing = count - arrays.count
    if missing > 0 { arrays.append(contentsOf: repeatElement([], count: missing)) }
  }
}
