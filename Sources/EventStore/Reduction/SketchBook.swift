import Synchronization

/// The sketches of records handed over together, made page by page by one thread while another
/// reduces other records, or these.
final class SketchBook: Sendable {
  private struct State {
    /// The pages that are finished and not passed, in number order.
    var pages: [SketchPage] = []
    /// The first record whose sketches may still be asked for.
    var next: RecordNumber
  }

  /// The numbers of the records.
  let numbers: Range<RecordNumber>
  private let state: Mutex<State>

  /// Creates a book without pages for records.
  init(for records: WrittenRecords) {
    numbers = records.start.number.advanced(by: 1)..<records.end.number.advanced(by: 1)
    state = Mutex(State(next: numbers.lowerBound))
  }

  /// Sketches the records except those that are reduced meanwhile.
  func sketch(_ records: WrittenRecords, by reducer: any Reducer) {
    var (queue, room) = (RecordQueue(records), 0)
    while pass(&queue) {
      let page = SketchPage(RowSketches(of: &queue, by: reducer, room: room))
      // One that doesn't fit would be copied.
      room = max(page.byteCount + page.byteCount / 8, room - room / 8)
      add(page)
    }
  }

  /// Passes over records that need no sketches; returns whether any are left.
  private func pass(_ queue: inout RecordQueue) -> Bool {
    let next = next
    while !queue.isEmpty, queue.place.number.advanced(by: 1) < next {
      queue.take(until: { true }) { _ in }
    }
    return !queue.isEmpty
  }

  /// The first record whose sketches may still be asked for; behind the last if none are.
  private var next: RecordNumber { state.withLock { $0.next } }

  /// Adds the page after those added before.
  private func add(_ page: SketchPage) { state.withLock { $0.pages.append(page) } }

  /// Returns the page with the sketches for a record, if it is finished; otherwise sketches are not
  /// asked for before the record `other`.
  ///
  /// Earlier records are passed.
  func turn(to number: RecordNumber, otherwise other: RecordNumber) -> SketchPage? {
    state.withLock { state in
      let passed = state.pages.prefix { $0.numbers.upperBound <= number }
      state.pages.removeFirst(passed.count)
      let page = state.pages.first.flatMap { $0.numbers.contains(number) ? $0 : nil }
      state.next = max(state.next, page?.numbers.upperBound ?? min(other, numbers.upperBound))
      return page
    }
  }
}

/// The sketches for the records being reduced, found page by page.
struct SketchPages {
  private var books: ArraySlice<SketchBook>
  /// The page for the records up to an end, if there is one.
  private var page: SketchPage?
  private var end = RecordNumber.zero

  /// Opens the books of records, in number order.
  init(_ books: [SketchBook] = []) { self.books = books[...] }

  /// Returns the page with the sketches for a record, none of which comes before an earlier one.
  @inline(__always)
  mutating func page(for number: RecordNumber) -> SketchPage? {
    if number >= end { turn(to: number) }
    return page
  }

  private mutating func turn(to number: RecordNumber) {
    while let book = books.first, book.numbers.upperBound <= number { books.removeFirst() }
    let later = number.advanced(by: RecordQueue.sliceMin)
    guard let book = books.first, book.numbers.contains(number) else {
      (page, end) = (nil, books.first?.numbers.lowerBound ?? later)
      return
    }
    page = book.turn(to: number, otherwise: later)
    end = page?.numbers.upperBound ?? later
  }
}
