import LMDB

/// The bytes of keys, one behind another, in memory that is kept when they are forgotten.
package struct KeyBuffer: Sendable {
  /// All the memory there is; the keys are at the beginning.
  private var storage: [UInt8] = []
  /// How many bytes the keys have.
  package private(set) var count = 0

  /// No keys.
  package init() {}

  /// Forgets all keys, or those behind the first `count` bytes.
  package mutating func remove(behind count: Int = 0) { self.count = count }

  /// The bytes of a key.
  @_lifetime(borrow self)
  package func bytes(at place: Range<Int>) -> RawSpan {
    precondition(place.upperBound <= count, "there is no such key")
    return storage.raw.extracting(place)
  }

  /// Appends the words that a key begins with.
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

  /// Appends a key that is there, with another first word.
  mutating func appendCopy(of place: Range<Int>, first word: UInt64) -> Range<Int> {
    let start = extend(by: place.count)
    storage.copy(place, to: start)
    storage.store(integer: word, at: start)
    return start..<count
  }

  /// Makes room at the end, and returns where it begins.
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
