import LMDB

/// The list of streams, with how far back each reaches and how much room it takes.
package struct JournalCatalog: Hashable, Sendable {
  /// The number of the last journaled event, with or without entries.
  package internal(set) var last: UInt64
  /// The streams, in the order in which they were added.
  package internal(set) var streams: [Stream] = []
  private var indices = PlaceTable()

  /// The state of one stream.
  package struct Stream: Hashable, Sendable {
    /// The stream's identity.
    package var stream: JournalStream
    /// The number after which the stream is complete.
    package var floor: UInt64
    /// The number up to which the stream's blocks were dropped; later blocks may still be below the
    /// floor.
    package var dropped: UInt64
    /// The number of bytes in the file of the stream's blocks that are committed or about to be;
    /// see ``JournalFormat/room(forBlockOf:)``.
    package var byteCount: UInt64
  }

  /// Creates a catalog without streams.
  package init(last: UInt64 = 0) { self.last = last }

  /// Returns the index of a stream.
  package func index(of stream: JournalStream) -> Int? {
    indices.place(of: UInt32(stream.rawValue)).map(Int.init)
  }

  /// The greatest number of a view whose lists were ever added, or 0; streams are never removed.
  var lastView: UInt32 { streams.lazy.compactMap(\.stream.view).max().map(UInt32.init) ?? 0 }

  /// Adds a stream that is complete after a number; returns its index.
  mutating func add(_ stream: Stream) -> Int {
    precondition(index(of: stream.stream) == nil, "the stream is known")
    indices.set(UInt32(stream.stream.rawValue), UInt32(streams.count))
    streams.append(stream)
    return streams.count - 1
  }

  /// The total size of all blocks in bytes.
  var byteCount: UInt64 { streams.reduce(0) { $0 + $1.byteCount } }

  /// The encoded catalog, with its checksum.
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

  /// Decodes a catalog; `nil` if the bytes are invalid.
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
