import EventStore
import Tideline

/// Decides what a server is asked next to keep up a stream.
///
/// Without a cursor one is taken first, then all objects, then what changed since the cursor: so
/// nothing that happens meanwhile is missed.
///
/// A list that the server marks is told anew only when it is another. Its mark stands in the log
/// where a cursor does, from when all of it was taken in until another list begins to be.
struct PullPlan {
  /// How far it has come.
  private enum Step {
    case cursor
    case listing(behind: String?, place: Int, offset: Int)
    case changes(since: String)
  }

  /// What is taken in of an answer.
  struct Catch {
    /// What it tells.
    var delivery: Delivery
    /// What is asked next; `nil` where the stream is kept up.
    var next: Question?
  }

  /// What a failure means.
  enum Verdict {
    /// It is begun anew, and this is recorded and asked.
    case beginAnew([any InboxEvent], Question)
    /// It ends here, to be tried again.
    case stop
  }

  let stream: ServerStream
  private var step: Step?
  /// The place up to which it was read last.
  private(set) var cursor: String?
  /// The last record that there was when it was asked for first, of what is answered by now.
  private(set) var askedAfter: RecordNumber?
  /// A cursor that it does not come by again, unless the server leads it in a circle.
  private var landmark: Landmark?
  /// The mark of the list that the log has, if it has all of one.
  private var mark: String?
  /// Whether the server is asked for the list only if it is another.
  private var namesMark = false
  /// Whether the server has refused a cursor since it was begun.
  private var wasReset = false
  /// The objects of the listing that is under way, and the last record before it.
  private var listed: [ObjectClass: Set<String>] = [:]
  /// The classes of which not all objects were told.
  private var cutShort: Set<ObjectClass> = []
  /// How many pages did not join.
  private var detours = 0
  /// How many pages in a row had no object that was not listed.
  private var repeats = 0
  private var listedSince: RecordNumber?

  init(_ stream: ServerStream) { self.stream = stream }

  /// Whether it is being kept up at present.
  var isRunning: Bool { step != nil }

  /// Begins, from where the stream was read up to, if that is known.
  ///
  /// - Parameter mayStand: Whether nothing waits to be told of that may stand in a list that is as
  ///   it was.
  mutating func begin(from cursor: String?, mayStand: Bool) -> Question {
    (wasReset, askedAfter, landmark) = (false, nil, nil)
    (mark, namesMark) = (isMarked ? cursor : nil, mayStand)
    switch (stream.manner, cursor) {
    case (.changes, let cursor?): step = .changes(since: cursor)
    case (.changes, nil): step = .cursor
    case (.list, _):
      cutShort = []
      step = .listing(behind: nil, place: 0, offset: 0)
    }
    return question
  }

  /// Whether an answer to a question is what it waits for, and not one from before it was begun
  /// anew.
  func awaits(_ asked: Question) -> Bool { isRunning && asked == question }

  /// Ends it where it is, to be begun anew from where the log says that it was.
  mutating func stop() { (step, listed) = (nil, [:]) }

  /// Notes that it was read up to a place by itself.
  mutating func moved(to cursor: String) { self.cursor = cursor }

  /// What is asked at this step.
  private var question: Question {
    switch step {
    case .cursor, nil: .cursor(stream: stream.name)
    case .changes(let cursor):
      .changes(stream: stream.name, since: cursor, limit: stream.pageMax)
    case .listing(_, let place, let offset):
      stream.manner == .list
        ? .all(stream.classes[place], unlessAt: namesMark ? mark : nil)
        : .page(stream.classes[place], offset: offset, limit: stream.pageMax)
    }
  }

  /// Takes in an answer to what was asked last.
  ///
  /// - Parameter asked: The last record that there was when it was asked.
  mutating func take(_ answer: Answer, askedAfter asked: RecordNumber) -> Catch {
    var delivery = Delivery(answer, to: question, askedAfter: asked)
    askedAfter = askedAfter ?? asked
    switch step {
    case .cursor:
      beginListing(behind: answer.cursor, asked)
    case .listing where answer.isUnchanged: step = nil
    case .listing(let cursor, let place, let offset):
      listedSince = listedSince ?? asked
      let objectClass = stream.classes[place]
      if !answer.isComplete { cutShort.insert(objectClass) }
      if let offset = nextOffset(behind: answer, of: objectClass, at: offset) {
        step = .listing(behind: cursor, place: place, offset: offset)
      } else {
        let ids = listed.removeValue(forKey: objectClass)
        repeats = 0
        let isWhole = !cutShort.contains(objectClass) && detours <= Self.detoursMax
        if isWhole { delivery.setListed(objectClass, ids) }
        if isMarked { replaceMark(by: isWhole ? answer : nil, &delivery) }
        delivery.askedAfter = listedSince
        advance(behind: cursor, to: place + 1, &delivery)
      }
    case .changes(let since):
      let next = answer.cursor ?? since
      let isOver = answer.isLast || next == since || isCircle(next, behind: since)
      if next != since || isOver { delivery.setCursor(next, of: stream.name, isAtEnd: isOver) }
      cursor = next
      step = isOver ? nil : .changes(since: next)
    case nil: break
    }
    return Catch(delivery: delivery, next: step == nil ? nil : question)
  }

  /// Whether a server that leads from one cursor to the next has led in a circle.
  private mutating func isCircle(_ next: String, behind since: String) -> Bool {
    landmark = landmark ?? Landmark(cursor: since)
    return landmark?.isMet(again: next) == true
  }

  /// A cursor to be known again: another one whenever there were twice as many pages behind it.
  ///
  /// So any circle is found before it was gone round a few times, as by Brent's algorithm.
  private struct Landmark {
    var cursor: String
    private var pages = 0
    private var pagesMax = 1

    init(cursor: String) { self.cursor = cursor }

    /// Goes on to a cursor; whether that is the landmark.
    mutating func isMet(again next: String) -> Bool {
      guard next != cursor else { return true }
      pages += 1
      if pages == pagesMax { (cursor, pages, pagesMax) = (next, 0, 2 * pagesMax) }
      return false
    }
  }

  /// Whether a list has one mark, which stands for all that the stream has.
  private var isMarked: Bool { stream.manner == .list && stream.classes.count == 1 }

  /// Has the mark be that of a list that was told whole, if it has one.
  private func replaceMark(by answer: Answer?, _ delivery: inout Delivery) {
    // An empty list counts only the second time, and what could not be read perhaps another time.
    let isTaken = answer.map { !$0.facts.isEmpty && $0.refused.isEmpty } ?? false
    let next = isTaken ? answer?.cursor : nil
    guard next != mark else { return }
    delivery.setMark(next, replacing: mark, of: stream.name)
  }

  private mutating func beginListing(behind cursor: String?, _ asked: RecordNumber) {
    (listed, listedSince, detours, cutShort, landmark) = ([:], asked, 0, [], nil)
    repeats = 0
    step = .listing(behind: cursor, place: 0, offset: 0)
  }

  /// Notes what a page lists; returns where the next begins, if there is one.
  ///
  /// Objects move up when others before them go away. So pages overlap; and where a page has none
  /// of those before it, as it is empty or begins further down, some may have been passed over: it
  /// is asked for again from further up. Of a list that never holds still nothing is taken to be
  /// gone, nor of one that goes on and on without another object: that is not asked further.
  private mutating func nextOffset(
    behind answer: Answer, of objectClass: ObjectClass, at offset: Int
  ) -> Int? {
    // The only page says itself what there is.
    if offset == 0, answer.isLast, listed[objectClass] == nil { return nil }
    let ids = answer.facts.compactMap(\.fields.id)
    // Nobody knows which they are that could not be read.
    let isUnread = ids.isEmpty && !answer.refused.isEmpty
    let isJoined =
      offset == 0 || isUnread || ids.contains { listed[objectClass]?.contains($0) == true }
    if !isJoined {
      detours += 1
      if detours <= Self.detoursMax { return max(offset - max(stream.pageMax / 2, 1), 0) }
    }
    let known = listed[objectClass]?.count ?? 0
    listed[objectClass, default: []].formUnion(ids)
    repeats = listed[objectClass]?.count == known ? repeats + 1 : 0
    if repeats == Self.repeatsMax, !answer.isLast {
      cutShort.insert(objectClass)
      return nil
    }
    return answer.isLast ? nil : offset + max(answer.places(of: objectClass) - overlap, 1)
  }

  /// How many pages of a listing may not join.
  private static let detoursMax = 16

  /// How many pages of a listing in a row may have no object that was not listed.
  private static let repeatsMax = 32

  /// How many objects of a page are asked for again with the next.
  private var overlap: Int { max(stream.pageMax / 16, 1) }

  /// Goes on with the next class, or with what changed meanwhile.
  private mutating func advance(
    behind cursor: String?, to place: Int, _ delivery: inout Delivery
  ) {
    guard place >= stream.classes.count else {
      step = .listing(behind: cursor, place: place, offset: 0)
      return
    }
    listedSince = nil
    guard stream.manner == .changes, let cursor else {
      step = nil
      return
    }
    delivery.setCursor(cursor, of: stream.name)
    step = .changes(since: cursor)
  }

  /// Decides what a failure means.
  ///
  /// A cursor that is refused is forgotten, and everything listed; one that was taken only now, and
  /// is refused as well, ends it for this time.
  mutating func fail(_ failure: ServerFailure) -> Verdict {
    defer { listed = [:] }
    guard failure.reason == .cursorUnknown, !wasReset, case .changes(let cursor) = step else {
      step = nil
      return .stop
    }
    let reset = CursorReset {
      ($0.stream, $0.reason, $0.cursor) = (stream.name, .refused, cursor)
    }
    (wasReset, step) = (true, .cursor)
    return .beginAnew([reset], question)
  }
}
