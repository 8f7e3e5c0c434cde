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
    case listing
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
    /// Record these events, and try again later.
    case stop([any InboxEvent])
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
  /// The listing in progress, or one that failed and goes on later.
  private var listing: Listing?
  /// Whether the listing is the first, so that it can go on by what the log has of it.
  private var isFirst = false
  /// The place in the log at which a listing goes on.
  private var bookmark: String?
  /// The number of pages since the bookmark was set.
  private var pages = 0
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
  mutating func begin(from start: StreamStart, mayStand: Bool) -> Question {
    (wasReset, askedAfter, landmark) = (false, nil, nil)
    (mark, namesMark) = (isMarked ? start.cursor : nil, mayStand)
    switch (stream.manner, start.cursor) {
    case (.changes, let cursor?): (step, listing) = (.changes(since: cursor), nil)
    case (.changes, nil):
      if listing == nil {
        (listing, isFirst) = (start.listing, start.isFirst)
        (bookmark, pages) = (start.bookmark, 0)
      }
      step = listing == nil ? .cursor : .listing
    case (.list, _): (step, listing) = (.listing, Listing())
    }
    return question
  }

  /// Whether a listing failed and goes on later.
  var isPaused: Bool { listing != nil && !isRunning }

  /// Returns whether an answer belongs to the current question rather than one from before a
  /// restart.
  func awaits(_ asked: Question) -> Bool { isRunning && asked == question }

  /// Stops reading; a restart continues from the log's cursor.
  mutating func stop() { (step, listing) = (nil, nil) }

  /// Notes that only the records up to a number stayed.
  mutating func setBack(to floor: RecordNumber) {
    askedAfter = askedAfter.map { min($0, floor) }
    listing?.setBack(to: floor)
  }

  /// Notes a new cursor from a followed stream.
  mutating func moved(to cursor: String) { self.cursor = cursor }

  /// The question of the current step.
  private var question: Question {
    switch step {
    case .cursor, nil: .cursor(stream: stream.name)
    case .changes(let cursor):
      .changes(stream: stream.name, since: cursor, limit: pageCount)
    case .listing:
      stream.manner == .list
        ? .all(listedClass, unlessAt: namesMark ? mark : nil)
        : .page(listedClass, offset: listing?.offset ?? 0, limit: pageCount)
    }
  }

  /// The class that is being listed.
  private var listedClass: ObjectClass { stream.classes[listing?.place ?? 0] }

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
      listing = Listing(after: answer.cursor, since: asked, isDoubtful: isAfresh)
      (step, landmark) = (.listing, nil)
      if isFirst { setBookmark(&delivery) }
    case .listing where answer.isUnchanged: (step, listing) = (nil, nil)
    case .listing: takePage(answer, askedAfter: asked, limit, &delivery)
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

  /// Handles a page of a listing, or a whole list.
  private mutating func takePage(
    _ answer: Answer, askedAfter asked: RecordNumber, _ limit: Int, _ delivery: inout Delivery
  ) {
    let objectClass = listedClass
    let progress = listing?.take(answer, of: objectClass, limit: limit, askedAfter: asked)
    switch progress {
    case .page:
      pages += 1
      if isFirst, pages >= Self.pagesMax { setBookmark(&delivery) }
    case .again:
      delivery.setListed(objectClass, nil)
      delivery.askedAfter = listing?.since
    case .end(let ids, let isWhole):
      if isWhole { delivery.setListed(objectClass, ids) }
      if isMarked { replaceMark(by: isWhole ? answer : nil, &delivery) }
      delivery.askedAfter = listing?.since
      if let listing, listing.place >= stream.classes.count { end(listing, &delivery) }
    case nil: break
    }
  }

  /// Goes on with the changes made since a listing began.
  private mutating func end(_ listing: Listing, _ delivery: inout Delivery) {
    (step, self.listing) = (nil, nil)
    guard stream.manner == .changes, let cursor = listing.cursor else { return }
    if let bookmark { delivery.setMark(nil, replacing: bookmark, of: stream.listingName) }
    delivery.setCursor(cursor, of: stream.name)
    (step, isAfresh, bookmark) = (.changes(since: cursor), false, nil)
  }

  /// Lets a first listing go on at its next page, at its beginning and now and then, as that waits
  /// for earlier pages.
  ///
  /// Later listings don't: which objects are gone can be told only by all pages.
  private mutating func setBookmark(_ delivery: inout Delivery) {
    guard let next = listing?.bookmark(in: stream.classes), Delivery.problem(ofCursor: next) == nil
    else { return }
    delivery.setCursor(next, of: stream.listingName)
    (bookmark, pages) = (next, 0)
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

  /// The fewest objects requested at a time, as pages overlap.
  private var pageMin: Int { min(2, stream.pageMax) }

  /// The number of pages after which the log has the place of a first listing.
  private static let pagesMax = 8

  /// Ends a listing that must begin anew; returns the events that take its place from the log.
  private mutating func giveUpListing() -> [any InboxEvent] {
    let old = bookmark
    (listing, bookmark) = (nil, nil)
    guard let old else { return [] }
    return [
      CursorReset { ($0.stream, $0.reason, $0.cursor) = (stream.listingName, .refused, old) }
    ]
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
      let goesOn = stream.manner == .changes && failure.isOfPage
      step = nil
      return .stop(goesOn ? [] : giveUpListing())
    }
    let reset = CursorReset {
      ($0.stream, $0.reason, $0.cursor) = (stream.name, .refused, cursor)
    }
    (wasReset, isAfresh, isFirst, step) = (true, true, false, .cursor)
    return .beginAnew([reset], question)
  }
}

extension ServerFailure {
  /// Whether only the page that was asked for failed.
  fileprivate var isOfPage: Bool { mayPass || reason == .tooLarge }
}
