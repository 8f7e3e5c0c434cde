import LMDB

extension Journal {
  /// Begins the entries of an event.
  ///
  /// - Precondition: The event's number is greater than the last.
  package mutating func append(_ number: UInt64) {
    precondition(number > catalog.last, "event \(number) after \(catalog.last)")
    precondition(number <= JournalFormat.numberMax, "event \(number) is beyond what keys can hold")
    catalog.last = number
  }

  /// Records that further events, up to a number, have no entries.
  package mutating func advance(to number: UInt64) { catalog.last = max(catalog.last, number) }

  /// Discards the entries since the last frame, and raises all floors so that none is reported.
  mutating func forget() {
    for index in catalog.streams.indices { catalog.streams[index].floor = catalog.last }
    for index in dirty.indices { dirty[index].removeAll(keepingUpTo: Self.keptBytesMax) }
    dirtyBytes = 0
  }

  /// Appends the change of a row by the current event; returns the visible fields that changed.
  ///
  /// If no field changed and the row's presence is the same as before, no entry is appended.
  ///
  /// - Complexity: O(fields that changed)
  @discardableResult
  package mutating func appendRow(
    _ row: RowID, from before: RowView?, to now: RowView, of collection: UInt8, _ shape: RowShape
  ) -> UInt64 {
    let changed = now.changes(from: before, shape)
    guard changed != 0 || now.isPresent != RowView.isPresent(before) else { return 0 }
    append(to: .rows(of: collection)) { bytes in
      RowEntry.append(row.rawValue, changed, from: before, to: now, shape, to: &bytes)
    }
    return changed
  }

  /// Appends the change of a row's place in a list by the current event.
  ///
  /// Also applies to a row that keeps its place in the list while visible fields change, with the
  /// same key twice.
  ///
  /// - Complexity: O(bytes of the keys)
  package mutating func appendList(
    ofView view: UInt16, group: UInt64, _ row: RowID, from old: RawSpan?, to new: RawSpan?
  ) {
    append(to: .lists(ofView: view)) { bytes in
      ListEntry.append(row.rawValue, group, from: old, to: new, to: &bytes)
    }
  }

  @inline(__always)
  private mutating func append(to stream: JournalStream, _ body: (inout [UInt8]) -> Void) {
    guard let index = catalog.index(of: stream) else {
      preconditionFailure("stream \(stream.rawValue) was not begun")
    }
    while dirty.count <= index { dirty.append(JournalBuffer()) }
    dirtyBytes += dirty[index].append(catalog.last, limits.blockBytesMax, body)
  }
}
