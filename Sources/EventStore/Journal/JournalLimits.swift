/// How much of the past the journal keeps.
///
/// All streams share the bytes: while they take too many, the stream that takes most loses its
/// oldest block. So a view or collection that is busy shortens its own past alone, as long as it
/// takes more than the others do; one that takes less than an equal share is never touched.
///
/// Besides, a block is dropped when so many events have come since. A stream where nothing was
/// dropped, as nothing happened, reaches back as far as ever.
package struct JournalLimits: Hashable, Sendable {
  /// How many bytes of the file the committed blocks take at most, apart from those of the last
  /// frame, and from what stays empty at the ends of pages; as with pages of 4 KiB.
  ///
  /// What a frame of very many blocks has too much goes with several of those behind it.
  package var bytesMax: UInt64 = 2 << 20
  /// How many events back the oldest block ends.
  package var eventsMax: UInt64 = 100_000
  /// The bytes after which a block is followed by another, at the next event: so many that, with
  /// what the last event adds, it seldom takes more than four pages.
  package var blockBytesMax = 15 << 10

  /// The default limits.
  package init() {}
}
