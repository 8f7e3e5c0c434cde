import EventStore
import Tideline

/// Decides what to ask a server next to keep a stream up to date.
///
/// Without a cursor, it requests one, then lists all objects, then asks for changes since the
/// cursor. Changes made meanwhile are therefore not missed, so a listing that failed goes on where
/// it was.
///
/// A list with a mark is only sent again if it has changed. The log stores the mark like a cursor,
/// from when the whole list was recorded until another list begins to arrive.
struct PullPlan {
  /// The progress of the plan.
  private enum Step {
    case cursor
    case listing(after: String?, place: Int, offset: Int)
    case changes(since: String)
  }

  /// The result of handling an answer.
  struct Catch {
    /// The answer's content.
    var delivery: Delivery
    /// The next question; `nil` if the stream is up to date.
    var next: Question?
  }

  /// How to react to a failure.
  enum Verdict {
    /// Start over: record these events and ask this question.
    case beginAnew([any InboxEvent], Question)
    /// Stop here and try again later.
    case stop
  }

  let stream: ServerStream
  private var step: Step?
  /// The latest cursor.
  private(set) var cursor: String?
  /// The last record before the first question of those answered so far.
  private(set) var askedAfter: RecordNumber?
  /// A cursor that recurs only if the server leads in a circle.
  private var landmark: Landmark?
  /// The mark of the list in the log, if the log has the whole list.
  private var mark: String?
  /// Whether the server is asked to send the list only if it has changed.
  private var namesMark = false
  /// Whether the server has refused a cursor since the plan began.
  private var wasReset = false
  /// Whether the listing follows a refused cursor, so that the device may have objects that are
  /// gone.
  private var isAfresh = false
  /// Whether a class that is listed as empty is asked for once more: that counts only then.
  private var isConfirming = false
  /// The object ids of the listing in progress, by class.
  private var listed: [ObjectClass: Set<String>] = [:]
  /// The classes of which the listing left objects out.
  private var cutShort: Set<ObjectClass> = []
  /// The number of pages that did not join the previous ones.
  private var detours = 0
  /// The number of consecutive pages without an unlisted object.
  private var repeats = 0
  private var listedSince: RecordNumber?
  /// The step of a listing that failed and goes on later.
  private var paused: Step?
  /// The number of objects requested at a time.
  private var pageCount: Int
  /// The number of consecutive failures.
  private var failures = 0

  init(_ stream: ServerStream) { (self.stream, pageCount) = (stream, stream.pageMax) }

  /// Whether the stream is being read.
  var isRunning: Bool { step != nil }

  /// Begins reading, from the stream's cursor if it is known.
  ///
  /// - Parameter mayStand: Whether no local operation still waits for news that an unchanged list
  ///   may already contain.
  mutating func begin(from cursor: String?, mayStand: Bool) -> Question {
    (wasReset, askedAfter, landmark) = (false, nil, nil)
    (mark, namesMark) = (isMarked ? cursor : nil, mayStand)
    let paused = self.paused.take()
    switch (stream.manner, cursor) {
    case (.changes, let cursor?): step = .changes(since: cursor)
    case (.changes, nil): step = paused ?? .cursor
    case (.list, _):
      cutShort = []
      step = .listing(after: nil, place: 0, offset: 0)
    }
    return question
  }

  /// Returns whether an answer belongs to the current question rather than one from before a
  /// restart.
  func awaits(_ asked: Question) -> Bool { isRunning && asked == question }

  /// Stops reading; a restart continues from the log's cursor.
  mutating func stop() { (step, paused, listed) = (nil, nil, [:]) }

  /// Notes a new cursor from a followed stream.
  mutating func moved(to cursor: String) { self.cursor = cursor }

  /// The question of the current step.
  private var question: Question {
    switch step {
    case .cursor, nil: .cursor(stream: stream.name)
    case .changes(let cursor):
      .changes(stream: stream.name, since: cursor, limit: pageCount)
    case .listing(_, let place, let offset):
      stream.manner == .list
        ? .all(stream.classes[place], unlessAt: namesMark ? mark : nil)
        : .page(stream.classes[place], offset: offset, limit: pageCount)
    }
  }

  /// Handles an answer to the latest question.
  ///
  /// - Parameter asked: The last record when the question was asked.
  mutating func take(_ answer: Answer, askedAfter asked: RecordNumber) -> Catch {
    var delivery = Delivery(answer, to: question, askedAfter: asked)
    askedAfter = askedAfter ?? asked
    let limit = pageCount
    (failures, pageCount) = (0, min(pageCount * 2, stream.pageMax))
    switch step {
    case .cursor:
      beginListing(after: answer.cursor, asked)
    case .listing where answer.isUnchanged: step = nil
    case .listing(let cursor, let place, let offset):
      listedSince = listedSince ?? asked
      let objectClass = stream.classes[place]
      if !answer.isComplete { cutShort.insert(objectClass) }
      if mustConfirm(answer, at: offset) {
        delivery.setListed(objectClass, nil)
        delivery.askedAfter = listedSince
      } else if let offset = nextOffset(after: answer, of: objectClass, at: offset, limit) {
        step = .listing(after: cursor, place: place, offset: offset)
      } else {
        let ids = listed.removeValue(forKey: objectClass)
        repeats = 0
        let isWhole = !cutShort.contains(objectClass) && detours <= Self.detoursMax
        if isWhole { delivery.setListed(objectClass, ids) }
        if isMarked { replaceMark(by: isWhole ? answer : nil, &delivery) }
        delivery.askedAfter = listedSince
        advance(after: cursor, to: place + 1, &delivery)
      }
    case .changes(let since):
      let next = answer.cursor ?? since
      let isOver = answer.isLast || next == since || isCircle(next, after: since)
      if next != since || isOver { delivery.setCursor(next, of: stream.name, isAtEnd: isOver) }
      cursor = next
      step = isOver ? nil : .changes(since: next)
    case nil: break
    }
    return Catch(delivery: delivery, next: step == nil ? nil : question)
  }

  /// Returns whether a page has to come once more, since it says that there is nothing.
  private mutating func mustConfirm(_ answer: Answer, at offset: Int) -> Bool {
    let isEmpty = offset == 0 && answer.isLast && answer.facts.isEmpty && answer.isComplete
    isConfirming = isAfresh && isEmpty && !isConfirming
    return isConfirming
  }

  /// Returns whether the server's cursors form a circle.
  private mutating func isCircle(_ next: String, after since: String) -> Bool {
    landmark = landmark ?? Landmark(cursor: since)
    return landmark?.isMet(again: next) == true
  }

  /// A cursor to compare with later ones, replaced after each doubling of the number of pages.
  ///
  /// Any circle is found within a few rounds, as in Brent's algorithm.
  private struct Landmark {
    var cursor: String
    private var pages = 0
    private var pagesMax = 1

    init(cursor: String) { self.cursor = cursor }

    /// Advances to a cursor; returns whether it equals the landmark.
    mutating func isMet(again next: String) -> Bool {
      guard next != cursor else { return true }
      pages += 1
      if pages == pagesMax { (cursor, pages, pagesMax) = (next, 0, 2 * pagesMax) }
      return false
    }
  }

  /// Whether the list has one mark that covers the whole stream.
  private var isMarked: Bool { stream.manner == .list && stream.classes.count == 1 }

  /// Replaces the mark with that of a completely reported list, if it has one.
  private func replaceMark(by answer: Answer?, _ delivery: inout Delivery) {
    // An empty list counts only the second time, and unreadable items may become readable.
    let isTaken = answer.map { !$0.facts.isEmpty && $0.refused.isEmpty } ?? false
    let next = isTaken ? answer?.cursor : nil
    guard next != mark else { return }
    delivery.setMark(next, replacing: mark, of: stream.name)
  }

  private mutating func beginListing(after cursor: String?, _ asked: RecordNumber) {
    (listed, listedSince, detours, cutShort, landmark) = ([:], asked, 0, [], nil)
    repeats = 0
    step = .listing(after: cursor, place: 0, offset: 0)
  }

  /// Records the objects of a page; returns the offset of the next page, if any.
  ///
  /// Objects move up when earlier ones disappear, so pages overlap. If a page shares no object with
  /// earlier ones, because it is empty or begins further down, some may have been skipped. Then the
  /// request is repeated further up. If a list never settles, or goes on without new objects,
  /// nothing counts as deleted, and in the latter case listing stops.
  private mutating func nextOffset(
    after answer: Answer, of objectClass: ObjectClass, at offset: Int, _ limit: Int
  ) -> Int? {
    // A single page states by itself which objects exist.
    if offset == 0, answer.isLast, listed[objectClass] == nil { return nil }
    let ids = answer.facts.compactMap(\.fields.id)
    // The ids of unreadable items are unknown.
    let isUnread = ids.isEmpty && !answer.refused.isEmpty
    let isJoined =
      offset == 0 || isUnread || ids.contains { listed[objectClass]?.contains($0) == true }
    if !isJoined {
      detours += 1
      if detours <= Self.detoursMax { return max(offset - max(limit / 2, 1), 0) }
    }
    let known = listed[objectClass]?.count ?? 0
    listed[objectClass, default: []].formUnion(ids)
    repeats = listed[objectClass]?.count == known ? repeats + 1 : 0
    if repeats == Self.repeatsMax, !answer.isLast {
      cutShort.insert(objectClass)
      return nil
    }
    let overlap = max(limit / 16, 1)
    return answer.isLast ? nil : offset + max(answer.places(of: objectClass) - overlap, 1)
  }

  /// The fewest objects requested at a time, as pages overlap.
  private var pageMin: Int { min(2, stream.pageMax) }

  /// The number of pages of a listing that may fail to join.
  private static let detoursMax = 16

  /// The number of consecutive pages of a listing that may lack an unlisted object.
  private static let repeatsMax = 32

  /// Continues with the next class, or with the changes made meanwhile.
  private mutating func advance(
    after cursor: String?, to place: Int, _ delivery: inout Delivery
  ) {
    guard place >= stream.classes.count else {
      step = .listing(after: cursor, place: place, offset: 0)
      return
    }
    listedSince = nil
    guard stream.manner == .changes, let cursor else {
      step = nil
      return
    }
    delivery.setCursor(cursor, of: stream.name)
    (step, isAfresh) = (.changes(since: cursor), false)
  }

  /// Decides how to react to a failure.
  ///
  /// If a cursor is refused, it is discarded and everything is listed again. If a newly obtained
  /// cursor is refused too, reading stops for now. What may have been too much for the server or
  /// the line is requested in smaller pages.
  mutating func fail(_ failure: ServerFailure) -> Verdict {
    failures += 1
    if failure.reason == .tooLarge || failures > 1 { pageCount = max(pageCount / 2, pageMin) }
    guard failure.reason == .cursorUnknown, !wasReset, case .changes(let cursor) = step else {
      if case .listing = step, stream.manner == .changes, failure.isOfPage {
        paused = step
      } else {
        listed = [:]
      }
      step = nil
      return .stop
    }
    listed = [:]
    let reset = CursorReset {
      ($0.stream, $0.reason, $0.cursor) = (stream.name, .refused, cursor)
    }
    (wasReset, isAfresh, step) = (true, true, .cursor)
    return .beginAnew([reset], question)
  }
}

extension ServerFailure {
  /// Whether only the page that was asked for failed.
  fileprivate var isOfPage: Bool { mayPass || reason == .tooLarge }
}
