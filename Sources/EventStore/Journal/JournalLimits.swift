/// The limits on how much of the past the journal keeps.
///
/// All streams share the bytes: while they take too many, the largest stream loses its oldest
/// block. A busy view or collection therefore shortens only its own past, as long as it takes more
/// than the others do; a stream with less than an equal share is never touched.
///
/// In addition, a block is dropped once a number of further events have occurred. A stream with no
/// dropped blocks, because it had no events, reaches back as far as ever.
package struct JournalLimits: Hashable, Sendable {
  /// The maximum number of bytes of the file for committed blocks, excluding those of the last
  /// frame and unused space at the ends of pages; calculated for 4 KiB pages.
  ///
  /// If a frame has very many blocks, the excess is removed along with several later frames.
  package var bytesMax: UInt64 = 2 << 20
  /// The maximum number of events since the end of the oldest block.
  package var eventsMax: UInt64 = 100_000
  /// The size after which the next event begins another block: chosen so that, with the last
  /// event's entries, a block seldom takes more than four pages.
  package var blockBytesMax = 15 << 10

  /// Creates the default limits.
  package init() {}
}
