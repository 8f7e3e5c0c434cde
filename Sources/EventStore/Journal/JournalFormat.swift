/// The binary format of the journal.
///
/// The journal is a table of blocks. A block contains the entries of one stream for consecutive
/// events. Its key is the number of its last event × 2¹⁶ + the stream's number, so blocks are
/// appended in order, whatever their streams. The catalog has the key 0.
///
///     block    0   4  checksum of the key and all that follows
///              4   8  number of the first event
///             12      entries
///     entry    number of the event, less that of the previous entry
///              number of the row
///              1 byte of flags, and their content: see ``RowEntry`` and ``ListEntry``
///     catalog  0   4  checksum of the key and all that follows
///              4   8  number of the last event
///             12      for each stream: its number (two bytes), the number after which it is
///                     complete, the number up to which its blocks were dropped, and the bytes of
///                     the file that the others take (eight bytes each)
///
/// Integers of fixed size are little-endian. Others have seven bits in each byte, lowest first; the
/// highest bit of a byte is set if another follows.
package enum JournalFormat {
  /// The greatest number of an event.
  package static let numberMax: UInt64 = (1 << 48) - 1
  /// The number of bytes before a block's entries.
  static let blockHeadCount = 12
  /// The number of bytes before a catalog's streams.
  static let catalogHeadCount = 12
  /// The number of bytes for each stream in a catalog.
  static let catalogEntryCount = 26

  /// Returns the bytes that a block takes in a file with 4 KiB pages, whatever the page size here:
  /// the block with its node header, key and pointer; or, if two do not fit in a page, its own
  /// pages, which include a header.
  package static func room(forBlockOf byteCount: Int) -> UInt64 {
    let (head, pageHead, page) = (18, 16, 4096)
    return UInt64(
      byteCount + head <= (page - pageHead) / 2
        ? byteCount + head : (byteCount + pageHead + page - 1) / page * page)
  }
}

/// A set of entries of one kind that are kept and dropped together: those of a view's lists, or of
/// a collection's rows.
package struct JournalStream: RawRepresentable, Hashable, Comparable, Sendable {
  /// The stream's number.
  package let rawValue: UInt16

  /// Creates the stream with a number.
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Returns the stream of a view's lists.
  ///
  /// - Precondition: The view's number is from 1 to 65,279.
  package static func lists(ofView number: UInt16) -> JournalStream {
    precondition(1..<firstOfRows ~= number, "a view's number is 1 to \(firstOfRows - 1)")
    return JournalStream(rawValue: number)
  }

  /// Returns the stream of a collection's rows.
  package static func rows(of collection: UInt8) -> JournalStream {
    JournalStream(rawValue: firstOfRows | UInt16(collection))
  }

  /// The number of the view whose lists the stream is for, or `nil` for a stream of rows.
  var view: UInt16? { rawValue < Self.firstOfRows ? rawValue : nil }

  private static let firstOfRows: UInt16 = 0xFF00

  /// Returns the key of the block that ends with an event.
  package func key(_ number: UInt64) -> UInt64 { number << 16 | UInt64(rawValue) }

  /// Returns whether the left stream's number is less.
  package static func < (a: JournalStream, b: JournalStream) -> Bool { a.rawValue < b.rawValue }
}
