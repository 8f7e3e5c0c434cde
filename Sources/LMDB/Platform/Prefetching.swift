import CPlatform

extension RawSpan {
  /// Prefetches `count` bytes from `offset` on, or as many as there are, without waiting.
  @inlinable @inline(__always)
  package func prefetch(_ offset: Int, _ count: Int) {
    guard offset >= 0, offset < byteCount else { return }
    unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe fetch(start + offset, Swift.min(count, bytes.count - offset))
    }
  }
}

extension Array where Element: BitwiseCopyable {
  /// Prefetches the element at an index, if there is one, without waiting.
  @inlinable @inline(__always)
  package func prefetch(_ index: Int) {
    let size = MemoryLayout<Element>.stride
    unsafe span.bytes.prefetch(index * size, size)
  }
}

/// Prefetches bytes.
@usableFromInline
func fetch(_ start: UnsafeRawPointer, _ count: Int) {
  unsafe tideline_prefetch_every(start, count, 64)
}
