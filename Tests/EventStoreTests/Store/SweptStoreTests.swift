import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing

/// Notes with a text, all of which an event marks as read, or as unread.
private struct Swept: Reducer {
  static let isRead = Field<Bool>("isRead", 1)
  static let text = Field<String>("text", 2)
  static let notes = RowCollection("notes", number: 1, isRead, text)
  static let put = EventKind(rawValue: 1)
  static let mark = EventKind(rawValue: 2)
  static let all = "all", unread = "unread"

  let version = 1
  let collections = [notes]
  let views = [
    ViewDefinition(unread, of: notes, where: isRead == false, orderedBy: [text.ascending]),
    ViewDefinition(all, of: notes, orderedBy: [text.ascending]),
  ]

  func reduce(_ event: borrowing RecordView, into state: inout State) throws(Refusal) {
    guard let fields = try? PayloadFields(decoding: event.payload) else { throw Refusal("odd") }
    switch (event.header.kind, fields[1], fields[2]) {
    case (Self.put, .text(let id)?, .text(let text)?):
      let row = try state.row(id, in: Self.notes)
      state[row, Self.isRead] = false
      state[row, Self.text] = text
    case (Self.mark, .boolean(let isRead)?, _):
      state.set(Self.isRead, to: isRead, inAll: isRead ? Self.unread : Self.all)
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

  static func mark(isRead: Bool) -> Batch {
    var batch = Batch()
    batch.add(Event(kind: mark, recordedAt: Timestamp(rawValue: 0))) { $0.put(1, isRead) }
    return batch
  }
}

/// What an event says of all rows, where the file in which rows learn of it has to grow meanwhile,
/// and somebody reads all the time.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SweptStoreTests {
  private static func options() -> Store.Options {
    var options = Store.Options()
    (options.viewsMapSize, options.eventRowsMax) = (1 << 16, 0)
    return options
  }

  @Test(arguments: [60, 150, 400, 700, 1100, 1500])
  func rows_areAsTheEventSays_atEachMoment(count: Int) async throws {
    let folder = try TemporaryFolder()
    let options = Self.options()
    let store = try await Store.open(at: folder.path, reducer: Swept(), options: options)
    // How many are unread: of a step that is being taken, what it was or will be.
    let expected = Mutex<Set<Int>>([0])
    let reader = Task.detached {
      var seen = 0
      while !Task.isCancelled {
        let allowed = expected.withLock { $0 }
        let (unread, listed) = try store.read { snapshot in
          let rows = try snapshot.rows(of: Swept.all, in: 0...)
          return (
            rows.count { $0[Swept.isRead] == false }, try snapshot.count(of: Swept.unread)
          )
        }
        #expect(unread == listed)
        let now = expected.withLock { $0 }
        #expect(allowed.union(now).contains(unread), "\(unread) of \(allowed), \(now)")
        seen += 1
        await Task.yield()
      }
      return seen
    }
    expected.withLock { $0 = Set(0...count) }
    for part in 0..<3 {
      try await store.append(Swept.put((count * part / 3)..<(count * (part + 1) / 3)))
    }
    for isRead in [true, false, true, true, false, false] {
      let (before, after) = (isRead ? [0, count] : [0, count], isRead ? 0 : count)
      expected.withLock { $0 = Set(before) }
      try await store.append(Swept.mark(isRead: isRead))
      expected.withLock { $0 = [after] }
      try await store.commitViews()
      try store.checkInvariants()
    }
    #expect(try await store.verify().isSound)
    reader.cancel()
    #expect(try await reader.value > 0)
    await store.close()
    let again = try await Store.open(at: folder.path, reducer: Swept(), options: options)
    #expect(try again.read { try $0.count(of: Swept.unread) } == count)
    #expect(try await again.verify().isSound)
    await again.close()
  }
}
