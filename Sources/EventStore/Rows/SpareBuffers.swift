/// Emptied buffers that are used again, so that composing a value costs no allocation.
package struct SpareBuffers: Sendable {
  /// The capacity of a new buffer: the usual texts fit.
  private static let room = 240
  /// The most bytes of a buffer that is kept, and the most buffers.
  private static let (keptBytesMax, countMax) = (1 << 16, 8)

  private var buffers: [[UInt8]] = []

  /// Creates a collection without buffers.
  package init() {}

  /// Takes out an empty buffer, or creates one.
  package mutating func take() -> [UInt8] {
    if let last = buffers.popLast() { return last }
    var buffer: [UInt8] = []
    buffer.reserveCapacity(Self.room)
    return buffer
  }

  /// Takes a buffer away and keeps it, emptied, unless it is very large or there are many.
  package mutating func keep(_ buffer: inout [UInt8]) {
    // As the only owner, since emptying a shared array allocates another.
    var kept: [UInt8] = []
    swap(&kept, &buffer)
    guard kept.capacity <= Self.keptBytesMax, buffers.count < Self.countMax else { return }
    kept.removeAll(keepingCapacity: true)
    buffers.append(kept)
  }
}
