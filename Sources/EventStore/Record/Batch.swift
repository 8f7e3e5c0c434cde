import LMDB

/// Events that are appended together: all of them or, where that fails, none.
///
/// Payloads are written one behind the other into one stretch of memory, so that a batch costs a
/// few allocations however many events it holds.
public struct Batch: Sendable {
  /// An event and where its payload stands in the batch.
  struct Entry: Sendable {
    let event: Event
    let payload: Range<Int>
    let checksum: UInt32
  }

  /// The payloads, one behind the other.
  private(set) var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []

  /// An empty batch.
  public init() {}

  /// How many events it holds.
  public var count: Int { entries.count }

  /// Whether it holds no event.
  public var isEmpty: Bool { entries.isEmpty }

  /// How many bytes the payloads have together.
  public var payloadBytes: Int { bytes.count }

  /// The bytes of the longest payload.
  var longestPayload: Int { entries.reduce(0) { max($0, $1.payload.count) } }

  /// Makes room for so many events with so many bytes of payload together.
  public mutating func reserveCapacity(events: Int, payloadBytes: Int) {
    entries.reserveCapacity(events)
    bytes.reserveCapacity(payloadBytes)
  }

  /// Adds an event whose payload is written by `encode`; returns its index in the batch.
  ///
  /// - Complexity: O(*n*) in the bytes of the payload.
  @discardableResult
  public mutating func add<E: Error>(
    _ event: Event, _ encode: (inout PayloadWriter) throws(E) -> Void
  ) throws(E) -> Int {
    let start = bytes.count
    do throws(E) {
      try PayloadWriter.write(into: &bytes, encode)
    } catch {
      bytes.removeLast(bytes.count - start)
      throw error
    }
    return close(event, from: start)
  }

  /// Adds an event with a payload that is encoded already; returns its index in the batch.
  @discardableResult
  public mutating func add(_ event: Event, payload: RawSpan = RawSpan()) -> Int {
    let start = bytes.count
    bytes.append(copying: payload)
    return close(event, from: start)
  }

  private mutating func close(_ event: Event, from start: Int) -> Int {
    let payload = start..<bytes.count
    let checksum = Checksum.of(bytes.raw.extracting(payload))
    entries.append(Entry(event: event, payload: payload, checksum: checksum))
    return entries.count - 1
  }
}
