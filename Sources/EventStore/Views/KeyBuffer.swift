import LMDB

/// The bytes of keys, one after another, in a buffer that is reused.
package struct KeyBuffer: Sendable {
  /// The whole buffer; the keys are at the beginning.
  private var storage: [UInt8] = []
  /// The number of bytes in use.
  package private(set) var count = 0

  /// An empty buffer.
  package init() {}

  /// Removes all keys, or those after the first `count` bytes.
  package mutating func remove(after count: Int = 0) { self.count = count }

  /// Returns the bytes of a key.
  @_lifetime(borrow self)
  package func bytes(at place: Range<Int>) -> RawSpan {
    precondition(place.upperBound <= count, "there is no such key")
    return storage.raw.extracting(place)
  }

  /// Appends the words at the beginning of a key.
  @inline(__always)
  mutating func append(_ words: SortWords, _ wordCount: Int) {
    let start = extend(by: 8 * wordCount)
    storage.withMutableBytes { bytes in
      for index in 0..<wordCount { bytes.store(integer: words[index], at: start + 8 * index) }
    }
  }

  /// Appends an integer, little-endian.
  mutating func append<T: FixedWidthInteger & BitwiseCopyable>(integer value: T) {
    let start = extend(by: MemoryLayout<T>.size)
    storage.store(integer: value, at: start)
  }

  /// Appends bytes.
  mutating func append(_ bytes: RawSpan) {
    let start = extend(by: bytes.byteCount)
    storage.store(copying: bytes, at: start)
  }

  /// Appends a copy of an existing key, with another first word.
  mutating func appendCopy(of place: Range<Int>, first word: UInt64) -> Range<Int> {
    let start = extend(by: place.count)
    storage.copy(place, to: start)
    storage.store(integer: word, at: start)
    return start..<count
  }

  /// Makes room at the end, and returns the start of it.
  @inline(__always)
  private mutating func extend(by added: Int) -> Int {
    let start = count
    count += added
    if count > storage.count { grow() }
    return start
  }

  @inline(never)
  private mutating func grow() { storage.extend(by: max(count, 256)) }
}
