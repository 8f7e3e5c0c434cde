import CPlatform

extension RawSpan {
  /// Has the processor fetch `count` bytes that begin at `offset`, since they are read soon, or as
  /// many as there are; nothing is waited for.
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
  /// Has the processor fetch an element, where there is one, since it is read soon; nothing is
  /// waited for.
  @inlinable @inline(__always)
  package func prefetch(_ index: Int) {
    let size = MemoryLayout<Element>.stride
    unsafe span.bytes.prefetch(index * size, size)
  }
}

/// Has the processor fetch bytes.
@usableFromInline
func fetch(_ start: UnsafeRawPointer, _ count: Int) {
  unsafe tideline_prefetch_every(start, count, 64)
}
