import LMDB

/// Which streams there are, how far back each reaches, and how much it takes.
package struct JournalCatalog: Hashable, Sendable {
  /// The number of the last event that was journaled, with entries or without.
  package internal(set) var last: UInt64
  /// The streams, in the order in which they became known.
  package internal(set) var streams: [Stream] = []
  private var indices = PlaceTable()

  /// One stream.
  package struct Stream: Hashable, Sendable {
    /// Which it is.
    package var stream: JournalStream
    /// The number behind which it is complete.
    package var floor: UInt64
    /// The number up to which its blocks were dropped; it may have others that are not complete.
    package var dropped: UInt64
    /// How many bytes of the file its blocks take that are committed, or about to be; see
    /// ``JournalFormat/room(forBlockOf:)``.
    package var byteCount: UInt64
  }

  /// A catalog of no streams.
  package init(last: UInt64 = 0) { self.last = last }

  /// The index of a stream.
  package func index(of stream: JournalStream) -> Int? {
    indices.place(of: UInt32(stream.rawValue)).map(Int.init)
  }

  /// The greatest number of a view whose lists it ever knew, or 0: none is forgotten.
  var lastView: UInt32 { streams.lazy.compactMap(\.stream.view).max().map(UInt32.init) ?? 0 }

  /// Adds a stream that is complete behind a number; returns its index.
  mutating func add(_ stream: Stream) -> Int {
    precondition(index(of: stream.stream) == nil, "the stream is known")
    indices.set(UInt32(stream.stream.rawValue), UInt32(streams.count))
    streams.append(stream)
    return streams.count - 1
  }

  /// How many bytes all blocks take.
  var byteCount: UInt64 { streams.reduce(0) { $0 + $1.byteCount } }

  /// Its bytes, with their checksum.
  var bytes: [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.append(littleEndian: last)
    for stream in streams {
      bytes.append(littleEndian: stream.stream.rawValue)
      bytes.append(littleEndian: stream.floor)
      bytes.append(littleEndian: stream.dropped)
      bytes.append(littleEndian: stream.byteCount)
    }
    bytes.store(integer: JournalBlock.checksum(0, bytes.raw), at: 0)
    return bytes
  }

  /// The catalog that stored bytes are, or `nil` where they are none.
  init?(_ bytes: RawSpan) {
    let head = JournalFormat.catalogHeadCount
    guard JournalBlock.isSound(bytes, 0),
      (bytes.byteCount - head).isMultiple(of: JournalFormat.catalogEntryCount)
    else { return nil }
    last = bytes.integer(UInt64.self, at: 4)
    for offset in stride(from: head, to: bytes.byteCount, by: JournalFormat.catalogEntryCount) {
      let stream = JournalStream(rawValue: bytes.integer(UInt16.self, at: offset))
      guard index(of: stream) == nil else { return nil }
      let floor = bytes.integer(UInt64.self, at: offset + 2)
      _ = add(
        Stream(
          stream: stream, floor: floor, dropped: bytes.integer(UInt64.self, at: offset + 10),
          byteCount: bytes.integer(UInt64.self, at: offset + 18)))
    }
  }
}
