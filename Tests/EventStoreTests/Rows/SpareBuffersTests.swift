import EventStore
import Testing

/// Buffers come back empty, with their memory.
@Suite struct SpareBuffersTests {
  @Test func buffer_comesBackEmpty_withItsMemory() {
    var spares = SpareBuffers()
    var (first, second) = (spares.take(), spares.take())
    #expect(first.isEmpty && first.capacity > 0)
    first.append(contentsOf: repeatElement(7, count: 5_000))
    let capacity = first.capacity
    spares.keep(&first)
    #expect(first.isEmpty && first.capacity == 0)
    let again = spares.take()
    #expect(again.isEmpty && again.capacity == capacity)
    second.append(1)
    spares.keep(&second)
    #expect(spares.take().isEmpty)
  }

  @Test func largeBuffer_isNotKept() {
    var spares = SpareBuffers()
    var buffer = spares.take()
    buffer.append(contentsOf: repeatElement(7, count: 1 << 20))
    spares.keep(&buffer)
    #expect(buffer.isEmpty && spares.take().capacity < 1 << 16)
  }

  /// Whoever gives back buffers that were made elsewhere does not fill the memory.
  @Test func buffers_areFew() {
    var spares = SpareBuffers()
    for _ in 0..<100 {
      var buffer = [UInt8](repeating: 7, count: 5_000)
      spares.keep(&buffer)
    }
    let large = (0..<100).filter { _ in spares.take().capacity >= 5_000 }
    #expect((1...8).contains(large.count))
  }
}
