public import EventStore
import Foundation
public import Tideline

/// The part of a query that a server can answer, and the part left to the device.
///
/// Every object that the query finds passes all filters. The device evaluates the whole query on
/// the server's objects, so filters only save it from objects it has no use for.
public struct ServerQuery: Hashable, Sendable {
  /// The class of the objects.
  public let objectClass: ObjectClass
  /// The filters for the server, at most one of each kind.
  public private(set) var filters: [ServerFilter] = []
  /// The part of the query's condition that the filters don't cover; `.always` if they cover all.
  public private(set) var residue = Condition.always
  /// The parts of the query that no condition covers, as listed by its plan.
  public let reasons: [String]
  /// Whether the server's order is the query's: the latest first.
  let isOrdered: Bool

  /// Creates the part of a query that a server with certain filters can answer.
  package init<Object: Model>(_ plan: QueryPlan<Object>, by kinds: Set<ServerFilter.Kind>) {
    objectClass = Object.objectClass
    reasons = plan.reasons
    isOrdered = plan.order.first?.isLastFirst ?? false
    let scope = Object.scope.conjuncts
    var left: [Condition] = []
    for part in plan.condition.conjuncts.filter({ !scope.contains($0) }).merged {
      if !take(FilterReading(part, Object.objectClass), kinds) { left.append(part) }
    }
    if let first = left.first { residue = left.dropFirst().reduce(first) { $0 && $1 } }
  }

  /// Whether the filters cover the whole query.
  public var isExact: Bool { residue == .always && reasons.isEmpty }

  /// Adds the filters for a part of the condition; returns whether they cover it completely.
  private mutating func take(_ reading: FilterReading, _ kinds: Set<ServerFilter.Kind>) -> Bool {
    for filter in reading.filters {
      guard kinds.contains(filter.kind) else { return false }
      let known = filters.first { $0.kind == filter.kind }
      if known == nil { filters.append(filter) } else if known != filter { return false }
    }
    return reading.isExact
  }

  /// Returns the query with the server's ids; `nil` if the server does not know a tag or thread in
  /// it and so has no such objects.
  func named(from snapshot: borrowing StoreSnapshot, _ account: UInt32) -> ServerQuery? {
    var query = self
    for place in filters.indices {
      switch filters[place] {
      case .tag(let id):
        guard !snapshot.isNew(id, .tag, of: account) else { return nil }
        query.filters[place] = .tag(snapshot.serverID(of: id, .tag, in: account))
      case .thread(let id):
        guard !snapshot.isNew(id, .thread, of: account) else { return nil }
        query.filters[place] = .thread(snapshot.serverID(of: id, .thread, in: account))
      default: break
      }
    }
    return query
  }

  /// Returns the question for a window of the list.
  ///
  /// If the server's window could differ from the device's, the question starts at the first
  /// object. It covers at most ``Sync/askedMax`` objects.
  package func question(in window: Range<Int>) -> Question {
    let offset = isExact && isOrdered ? window.lowerBound : 0
    let limit = min(window.upperBound - offset, Sync.askedMax)
    return .list(objectClass, by: filters, offset: offset, limit: limit)
  }
}

/// A part of a condition, expressed as filters.
private struct FilterReading {
  /// The filters that the condition implies.
  private(set) var filters: [ServerFilter] = []
  /// Whether the filters imply the condition.
  private(set) var isExact = false

  init(_ part: Condition, _ objectClass: ObjectClass) {
    guard case .test(let test) = NormalCondition(part) else { return }
    switch (objectClass, test.index) {
    case (.thread, Threads.tagIDs.declaration.index): readTags(test)
    case (.thread, Threads.addresses.declaration.index): readAddresses(test)
    case (.thread, Threads.lastMessageDate.declaration.index): readDates(test)
    case (.message, Messages.date.declaration.index): readDates(test)
    case (.message, Messages.threadID.declaration.index): readThread(test)
    case (.message, Messages.isUnread.declaration.index): readFlag(test, ServerFilter.unread)
    case (.message, Messages.isStarred.declaration.index): readFlag(test, ServerFilter.starred)
    default: break
    }
  }

  private mutating func take(_ filter: ServerFilter) { (filters, isExact) = ([filter], true) }

  private mutating func readTags(_ test: FieldTest) {
    guard case .intersects(let tags) = test.question, tags.count == 1 else { return }
    switch tags[0] {
    case "unread": take(.unread(test.isWanted))
    case "starred": take(.starred(test.isWanted))
    case let tag where test.isWanted && !tag.isEmpty: take(.tag(tag))
    default: break
    }
  }

  /// Addresses are compared in lowercase, which is unambiguous only for ASCII.
  private mutating func readAddresses(_ test: FieldTest) {
    guard test.isWanted, case .intersects(let addresses) = test.question,
      addresses.count <= Self.addressesMax, addresses.allSatisfy(\.isPlainAddress)
    else { return }
    take(.address(addresses))
  }

  /// The most addresses in a question.
  private static let addressesMax = 25

  private mutating func readThread(_ test: FieldTest) {
    guard test.isWanted, case .isOneOf(let ids) = test.question, ids.count == 1 else { return }
    take(.thread(ids[0]))
  }

  private mutating func readFlag(_ test: FieldTest, _ filter: (Bool) -> ServerFilter) {
    guard case .codes(let codes, let orNil) = test.question else { return }
    if codes.intervals == [1...1], !orNil { take(filter(true)) }
    if codes.intervals == [0...0], orNil { take(filter(false)) }
  }

  /// Covers the first to the last time; gaps between them are left to the device.
  private mutating func readDates(_ test: FieldTest) {
    guard case .codes(let codes, orNil: false) = test.question,
      let first = codes.intervals.first?.lowerBound, let last = codes.intervals.last?.upperBound
    else { return }
    if first > 0 { filters.append(.since(Date(code: first))) }
    if last < codes.greatest { filters.append(.until(Date(code: last))) }
    isExact = codes.intervals.count == 1 && !filters.isEmpty
  }
}

extension Condition {
  /// The conditions that this one joins.
  fileprivate var conjuncts: [Condition] {
    switch term {
    case .all(let parts): parts.flatMap(\.conjuncts)
    case .constant(true): []
    default: [self]
    }
  }
}

extension [Condition] {
  /// The conditions, with those on the same time, number or flag merged.
  fileprivate var merged: [Condition] {
    var (parts, places): ([Condition], [Int: Int]) = ([], [:])
    for part in self {
      guard case .test(let test) = NormalCondition(part), test.kind.isCoded else {
        parts.append(part)
        continue
      }
      if let place = places[test.index] {
        parts[place] = parts[place] && part
      } else {
        places[test.index] = parts.count
        parts.append(part)
      }
    }
    return parts
  }
}

extension SortField {
  /// Whether it sorts the latest first.
  fileprivate var isLastFirst: Bool {
    direction == .descending && ["effectiveDate", "lastMessageDate", "date"].contains(field.name)
  }
}

extension String {
  /// Whether the text means the same however addresses are compared, and fits in a list of them.
  fileprivate var isPlainAddress: Bool {
    !isEmpty && utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ",") }
  }
}

extension Date {
  /// Creates the date for a code by which conditions compare times; coding a code restores the
  /// value.
  fileprivate init(code: UInt64) {
    let value = FixedOrder.code(of: code, .timestamp)
    self.init(kept: Timestamp(rawValue: Int64(bitPattern: value)))
  }
}
