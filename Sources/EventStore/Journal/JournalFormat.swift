/// The bytes of the journal.
///
/// It is a table of blocks. A block holds the entries of one stream, of events that follow one
/// another, and lies under the number of the last of them × 2¹⁶ + the stream's number. So blocks
/// are written behind one another, whatever streams they are of. Under 0 lies the catalog.
///
///     block    0   4  checksum of the key and all that follows
///              4   8  the number of the first event
///             12      entries
///     entry    number of the event, less that of the entry before
///              number of the row
///              1 byte of flags, and what they say: see ``RowEntry`` and ``ListEntry``
///     catalog  0   4  checksum of the key and all that follows
///              4   8  the number of the last event
///             12      for each stream: its number (two bytes), the number that it is complete
///                     behind, the one up to which its blocks were dropped, and how many bytes of
///                     the file the others take (eight bytes each)
///
/// Integers of fixed size are little-endian. Others are of seven bits in a byte, the lowest first,
/// with the highest bit of a byte set where another follows.
package enum JournalFormat {
  /// The greatest number of an event.
  package static let numberMax: UInt64 = (1 << 48) - 1
  /// What stands before a block's entries.
  static let blockHeadCount = 12
  /// What stands before a catalog's streams.
  static let catalogHeadCount = 12
  /// What a catalog holds of each stream.
  static let catalogEntryCount = 26

  /// How many bytes of a file with pages of 4 KiB a block takes, whatever the pages are here: with
  /// its node's head, its key and its place; or, where two don't fit in a page, in pages of its
  /// own, which have a head.
  package static func room(forBlockOf byteCount: Int) -> UInt64 {
    let (head, pageHead, page) = (18, 16, 4096)
    return UInt64(
      byteCount + head <= (page - pageHead) / 2
        ? byteCount + head : (byteCount + pageHead + page - 1) / page * page)
  }
}

/// Entries of one kind that are kept and dropped together: those of a view's lists, or of a
/// collection's rows.
package struct JournalStream: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number that stands for it.
  package let rawValue: UInt16

  /// The stream with a number.
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The lists of a view.
  ///
  /// - Precondition: The view's number is 1 to 65,279.
  package static func lists(ofView number: UInt16) -> JournalStream {
    precondition(1..<firstOfRows ~= number, "a view's number is 1 to \(firstOfRows - 1)")
    return JournalStream(rawValue: number)
  }

  /// The rows of a collection.
  package static func rows(of collection: UInt8) -> JournalStream {
    JournalStream(rawValue: firstOfRows | UInt16(collection))
  }

  /// The number of the view whose lists it is of, or `nil` where it is of rows.
  var view: UInt16? { rawValue < Self.firstOfRows ? rawValue : nil }

  private static let firstOfRows: UInt16 = 0xFF00

  /// The key of the block that ends with an event.
  package func key(_ number: UInt64) -> UInt64 { number << 16 | UInt64(rawValue) }

  /// Whether its number is the lesser.
  package static func < (a: JournalStream, b: JournalStream) -> Bool { a.rawValue < b.rawValue }
}
