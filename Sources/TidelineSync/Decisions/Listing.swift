import EventStore
import Tideline

/// The listing of all objects of a stream: class by class, and page by page.
///
/// Objects move up when earlier ones disappear, so pages overlap. If a page shares no object with
/// earlier ones, because it is empty or begins further down, some may have been skipped. Then the
/// request is repeated further up. If a list never settles, or goes on without new objects, nothing
/// of its class counts as deleted, and in the latter case its listing stops.
///
/// A page may have fewer objects than were requested, and the next one fewer still. How far the
/// next page begins below one therefore depends on how many objects that one had. Only a page of a
/// single object can't overlap with the next.
struct Listing {
  /// What a page has led to.
  enum Progress {
    /// The same page has to come once more: that nothing exists only counts the second time.
    case again
    /// Another page of the class follows.
    case page
    /// The class is listed.
    ///
    /// - Parameters:
    ///   - ids: The ids of all of its objects; `nil` if they are those of the page.
    ///   - isWhole: Whether there are no others.
    case end(ids: Set<String>?, isWhole: Bool)
  }

  /// The stream's cursor from before the listing.
  let cursor: String?
  /// The index of the class that is being listed.
  private(set) var place = 0
  /// The offset of the page to be requested.
  private(set) var offset = 0
  /// The last record when listing began.
  private(set) var since: RecordNumber?
  /// Whether a class that is listed as empty must be so twice.
  private let isDoubtful: Bool
  private var isConfirming = false
  /// The ids of the class's objects on earlier pages; `nil` before the second one.
  private var ids: Set<String>?
  /// Whether another process listed the first pages of the class, perhaps long ago.
  private var isResumed = false
  /// Whether no page has joined those of the other process yet.
  private var isSearching = false
  /// Whether the class has objects that its pages left out.
  private var isCutShort = false
  /// The place after the last one that a page of the class has covered.
  private var reach = 0
  /// The number of the class's pages that did not join the previous ones.
  private var detours = 0
  /// The number of consecutive pages that reached further without an unlisted object.
  private var repeats = 0

  /// The number of pages that may fail to join.
  private static let detoursMax = 16
  /// The number of consecutive pages that may reach further without an unlisted object.
  private static let repeatsMax = 32

  /// Begins a listing.
  ///
  /// - Parameter isDoubtful: Whether the device may have objects that are gone.
  init(after cursor: String? = nil, since asked: RecordNumber? = nil, isDoubtful: Bool = false) {
    (self.cursor, since, self.isDoubtful) = (cursor, asked, isDoubtful)
  }

  /// Notes that only the records up to a number stayed.
  mutating func setBack(to floor: RecordNumber) { since = since.map { min($0, floor) } }

  /// Takes in the page that was requested.
  ///
  /// - Parameters:
  ///   - limit: The number of requested objects.
  ///   - asked: The last record when it was requested.
  mutating func take(
    _ answer: Answer, of objectClass: ObjectClass, limit: Int, askedAfter asked: RecordNumber
  ) -> Progress {
    since = since ?? asked
    if !answer.isComplete { isCutShort = true }
    if mustConfirm(answer) { return .again }
    if let next = nextOffset(after: answer, of: objectClass, limit) {
      offset = next
      return .page
    }
    let end = Progress.end(ids: ids, isWhole: !isCutShort && detours <= Self.detoursMax)
    (ids, isCutShort, isResumed, isSearching) = (nil, false, false, false)
    (reach, detours, repeats) = (0, 0, 0)
    (place, offset) = (place + 1, 0)
    return end
  }

  /// Returns whether a page has to come once more, since it says that there is nothing.
  private mutating func mustConfirm(_ answer: Answer) -> Bool {
    let isEmpty = offset == 0 && answer.isLast && answer.facts.isEmpty && answer.isComplete
    isConfirming = isDoubtful && isEmpty && !isConfirming
    return isConfirming
  }

  /// Notes the objects of a page; returns the offset of the next page, if any.
  private mutating func nextOffset(
    after answer: Answer, of objectClass: ObjectClass, _ limit: Int
  ) -> Int? {
    // A single page states by itself which objects exist.
    if offset == 0, answer.isLast, ids == nil { return nil }
    let ids = answer.facts.compactMap(\.fields.id)
    // The ids of unreadable items are unknown.
    let isUnread = ids.isEmpty && !answer.refused.isEmpty
    if isUnread || isJoined(isSearching ? answer.ids(of: objectClass) : ids, Self.overlap(limit)) {
      isSearching = false
    } else {
      detours += 1
      if detours <= Self.detoursMax { return max(offset - max(limit / 2, 1), 0) }
      if isResumed { return beginAgain() }
    }
    let places = answer.places(of: objectClass)
    note(ids, through: offset + places)
    if repeats == Self.repeatsMax, !answer.isLast {
      // So many objects may be new above those that the other process listed.
      if isResumed { return beginAgain() }
      isCutShort = true
      return nil
    }
    return answer.isLast ? nil : offset + Self.step(past: places, limit)
  }

  /// Notes the ids of a page that joins, and the place after it.
  ///
  /// Pages that lie within earlier ones, as after a detour or where pages have become shorter, have
  /// no unlisted objects and are no sign that the list goes on forever.
  private mutating func note(_ page: [String], through end: Int) {
    var ids = self.ids ?? []
    let known = ids.count
    // Otherwise, the set would be copied.
    self.ids = nil
    ids.formUnion(page)
    if ids.count > known {
      repeats = 0
    } else if end > reach {
      repeats += 1
    }
    (self.ids, reach) = (ids, max(reach, end))
  }
}

extension Listing {
  /// The number of objects that the page after one with `count` objects shares with it.
  private static func overlap(_ count: Int) -> Int { max(count / 16, 1) }

  /// Returns how far below a page the next one begins.
  ///
  /// At an empty page, which was requested again from further up until then, the list has a gap.
  private static func step(past places: Int, _ limit: Int) -> Int {
    places == 0 ? limit : max(places - overlap(min(places, limit)), 1)
  }

  /// Returns whether a page joins the earlier ones.
  ///
  /// If these were another process's, what is here also came in other ways, so that only what the
  /// page begins with tells.
  private func isJoined(_ page: [String], _ overlap: Int) -> Bool {
    guard offset > 0, let ids else { return true }
    guard isSearching else { return page.contains(where: ids.contains) }
    return !page.isEmpty && page.prefix(overlap).allSatisfy(ids.contains)
  }

  /// Lists a class from its beginning, as too much of it has changed to find the place again.
  private mutating func beginAgain() -> Int {
    (isResumed, isSearching, ids) = (false, false, [])
    (reach, detours, repeats) = (0, 0, 0)
    return 0
  }

  /// The place of the next page in a text, for the log; `nil` without a cursor.
  ///
  /// - Parameter classes: The stream's classes.
  func bookmark(in classes: [ObjectClass]) -> String? {
    cursor.map { "\(Self.signature(classes)) \(place) \(offset) \($0)" }
  }

  /// Continues the listing that a bookmark is from; `nil` if that was of other classes.
  ///
  /// - Parameter known: Returns the ids of the objects of a class that are here, which are those of
  ///   the pages before.
  init?(
    at bookmark: String, in classes: [ObjectClass], _ known: (ObjectClass) -> Set<String>
  ) {
    let words = bookmark.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard words.count == 4, words[0] == Self.signature(classes), let place = Int(words[1]),
      classes.indices.contains(place), let offset = Int(words[2]), offset >= 0
    else { return nil }
    self.init(after: String(words[3]))
    (self.place, self.offset) = (place, offset)
    (isResumed, isSearching, reach) = (offset > 0, offset > 0, offset)
    if isResumed { ids = known(classes[place]) }
  }

  private static func signature(_ classes: [ObjectClass]) -> String {
    classes.map { "\($0.rawValue)" }.joined(separator: ",")
  }
}

extension Answer {
  /// Returns the ids of the objects of a class.
  fileprivate func ids(of objectClass: ObjectClass) -> [String] {
    facts.filter { $0.objectClass == objectClass }.compactMap(\.fields.id)
  }
}
