import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing

/// Notes with a text, all of which an event marks as read or unread.
private struct Swept: Reducer {
  static let isRead = Field<Bool>("isRead", 1)
  static let text = Field<String>("text", 2)
  static let rank = Field<Int>("rank", 3)
  static let notes = RowCollection("notes", number: 1, isRead, text, rank)
  static let put = EventKind(rawValue: 1)
  static let mark = EventKind(rawValue: 2)
  static let rate = EventKind(rawValue: 3)
  static let all = "all", unread = "unread"

  let version = 1
  let collections = [notes]
  let views = [
    ViewDefinition(unread, of: notes, where: isRead == false, orderedBy: [text.ascending]),
    ViewDefinition(all, of: notes, orderedBy: [text.ascending]),
  ]

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    guard let fields = try? PayloadFields(decoding: event.payload) else { throw Refusal("odd") }
    switch (event.header.kind, fields[1], fields[2]) {
    case (Self.put, .text(let id)?, .text(let text)?):
      let row = try state.row(id, in: Self.notes)
      state[row, Self.isRead] = false
      state[row, Self.text] = text
    case (Self.mark, .boolean(let isRead)?, _):
      state.set(Self.isRead, to: isRead, inAll: isRead ? Self.unread : Self.all)
    case (Self.rate, .integer(let rank)?, .text(let view)?):
      state.set(Self.rank, to: Int(rank), inAll: view)
    default: throw Refusal("odd")
    }
  }

  static func put(_ numbers: Range<Int>) -> Batch {
    var batch = Batch()
    for number in numbers {
      batch.add(Event(kind: put, recordedAt: Timestamp(rawValue: 0))) {
        $0.put(1, "n\(number)")
        $0.put(2, "\(number * 7919 % 10_007) " + String(repeating: "text ", count: 40))
      }
    }
    return batch
  }

  /// Rates all notes, rates the unread ones again, which all are, and marks these as read: a row
  /// that learns of this twice ends up with the first rank.
  static var finished: Batch {
    var batch = Batch()
    for (rank, view) in [(1, all), (2, unread)] {
      batch.add(Event(kind: rate, recordedAt: Timestamp(rawValue: 0))) {
        $0.put(1, rank)
        $0.put(2, view)
      }
    }
    batch.add(Event(kind: mark, recordedAt: Timestamp(rawValue: 0))) { $0.put(1, true) }
    return batch
  }

  static var unfinished: Batch {
    var batch = Batch()
    batch.add(Event(kind: mark, recordedAt: Timestamp(rawValue: 0))) { $0.put(1, false) }
    return batch
  }
}

/// Events about all rows, while the file in which rows learn of them has to grow, and a reader
/// reads now and then.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SweptStoreTests {
  private static func options() -> Store.Options {
    var options = Store.Options()
    (options.viewsMapSize, options.eventRowsMax) = (1 << 16, 0)
    return options
  }

  // Some seconds without optimization: the file grows only a few times, at moments that the test
  // has to hit.
  @Test(arguments: [300, 500, 700, 900, 1100, 1300])
  func rows_learnOfItOnce(count: Int) async throws {
    let folder = try TemporaryFolder()
    let options = Self.options()
    let store = try await Store.open(at: folder.path, reducer: Swept(), options: options)
    // Notes that are not unread must have the last rank.
    let reader = Task.detached {
      var seen = 0
      while !Task.isCancelled {
        let (rows, unread) = try store.read { snapshot in
          (
            try snapshot.rows(of: ListName(Swept.all), in: 0...),
            try snapshot.count(of: ListName(Swept.unread))
          )
        }
        #expect(rows.count { $0[Swept.isRead] == false } == unread)
        #expect(rows.allSatisfy { $0[Swept.isRead] == false || $0[Swept.rank] == 2 })
        seen += 1
        try? await Task.sleep(for: .microseconds(500 + seen % 7 * 300))
      }
      return seen
    }
    for part in 0..<3 {
      try await store.append(Swept.put((count * part / 3)..<(count * (part + 1) / 3)))
      try await store.append(Swept.finished)
      try await store.commitViews()
      try store.checkInvariants()
      try await store.append(Swept.unfinished)
    }
    try await store.append(Swept.finished)
    reader.cancel()
    #expect(try await reader.value > 0)
    #expect(try await store.verify().isSound)
    await store.close()
    let again = try await Store.open(at: folder.path, reducer: Swept(), options: options)
    let rows = try again.read { try $0.rows(of: ListName(Swept.all), in: 0...) }
    #expect(rows.count == count)
    #expect(rows.allSatisfy { $0[Swept.isRead] == true && $0[Swept.rank] == 2 })
    #expect(try await again.verify().isSound)
    await again.close()
  }
}
