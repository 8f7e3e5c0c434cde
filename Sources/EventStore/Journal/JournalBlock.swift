package import LMDB

/// A borrowed block, whose entries are read one after another.
package struct JournalBlock: ~Escapable {
  private var entries: JournalBytes
  private let stream: JournalStream
  /// The number of the event of the entry read last.
  package private(set) var number: UInt64

  /// Creates a block of a stream whose checksum was verified.
  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, _ stream: JournalStream) throws(LMDBError) {
    guard bytes.byteCount >= JournalFormat.blockHeadCount else { throw Self.malformed(stream) }
    number = bytes.integer(UInt64.self, at: 4)
    entries = JournalBytes(bytes.extracting(droppingFirst: JournalFormat.blockHeadCount))
    self.stream = stream
  }

  /// Reads the next entry of a stream of rows; returns `nil` after the last.
  @_lifetime(copy self)
  package mutating func nextRow() throws(LMDBError) -> RowEntry? {
    guard try advance() else { return nil }
    guard let entry = RowEntry(&entries) else { throw Self.malformed(stream) }
    return entry
  }

  /// Reads the next entry of a stream of lists; returns `nil` after the last.
  @_lifetime(copy self)
  mutating func nextList() throws(LMDBError) -> ListEntry? {
    guard try advance() else { return nil }
    guard let entry = ListEntry(&entries) else { throw Self.malformed(stream) }
    return entry
  }

  @_lifetime(self: copy self)
  private mutating func advance() throws(LMDBError) -> Bool {
    guard !entries.isAtEnd else { return false }
    guard let step = entries.varint() else { throw Self.malformed(stream) }
    number &+= step
    return true
  }

  static func malformed(_ stream: JournalStream) -> LMDBError {
    LMDBError(.corrupted, "read the journal's stream \(stream.rawValue)")
  }

  /// Returns the checksum of a block, or of the catalog, stored under a key.
  static func checksum(_ key: UInt64, _ bytes: RawSpan) -> UInt32 {
    Checksum.of(key, bytes.extracting(droppingFirst: 4))
  }

  /// Returns whether stored bytes are those that were written under a key.
  static func isSound(_ bytes: RawSpan, _ key: UInt64) -> Bool {
    bytes.byteCount >= JournalFormat.blockHeadCount
      && bytes.integer(UInt32.self, at: 0) == checksum(key, bytes)
  }
}
