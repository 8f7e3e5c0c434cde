public import EventStore
import Foundation
public import Tideline

/// What a server can be asked of a query, and what of it is left to the device.
///
/// Whatever the query finds passes all filters. The device asks all of the query of what the server
/// tells, so a filter only spares it what it has no use for.
public struct ServerQuery: Hashable, Sendable {
  /// What the objects are.
  public let objectClass: ObjectClass
  /// What the server is asked by, no two of a kind.
  public private(set) var filters: [ServerFilter] = []
  /// What of the query's condition the filters don't say; `.always` where they say all of it.
  public private(set) var residue = Condition.always
  /// What of the query no condition says, as its plan has it.
  public let reasons: [String]
  /// Whether the server has its objects in the query's order: the last first.
  let isOrdered: Bool

  /// The part of a query that a server can be asked that filters by some things.
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

  /// Whether the filters say all of the query.
  public var isExact: Bool { residue == .always && reasons.isEmpty }

  /// Takes what a part of the condition says in filters; returns whether nothing of it is left.
  private mutating func take(_ reading: FilterReading, _ kinds: Set<ServerFilter.Kind>) -> Bool {
    for filter in reading.filters {
      guard kinds.contains(filter.kind) else { return false }
      let known = filters.first { $0.kind == filter.kind }
      if known == nil { filters.append(filter) } else if known != filter { return false }
    }
    return reading.isExact
  }

  /// The same by the server's ids; `nil` where it knows a tag or a thread not that is asked for, so
  /// that it has nothing of it.
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

  /// What a server is asked for a window of the list.
  ///
  /// Where it would have others in that window than the device, it is asked from the first on; for
  /// ``Sync/askedMax`` objects at most.
  package func question(in window: Range<Int>) -> Question {
    let offset = isExact && isOrdered ? window.lowerBound : 0
    let limit = min(window.upperBound - offset, Sync.askedMax)
    return .list(objectClass, by: filters, offset: offset, limit: limit)
  }
}

/// What a part of a condition says in filters.
private struct FilterReading {
  /// What is so of whatever meets the condition.
  private(set) var filters: [ServerFilter] = []
  /// Whether whatever is so meets it.
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

  /// Addresses are compared in small letters, of which beyond ASCII nobody knows what they are to
  /// others.
  private mutating func readAddresses(_ test: FieldTest) {
    guard test.isWanted, case .intersects(let addresses) = test.question,
      addresses.count <= Self.addressesMax, addresses.allSatisfy(\.isPlainAddress)
    else { return }
    take(.address(addresses))
  }

  /// By how many addresses a server is asked.
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

  /// From the first to the last of the moments; what is between them, and is not meant, is left.
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
  /// What all holds where it does.
  fileprivate var conjuncts: [Condition] {
    switch term {
    case .all(let parts): parts.flatMap(\.conjuncts)
    case .constant(true): []
    default: [self]
    }
  }
}

extension [Condition] {
  /// The same with one for all that is asked of a moment, a number or a flag.
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
  /// Whether it has the last first.
  fileprivate var isLastFirst: Bool {
    direction == .descending && ["effectiveDate", "lastMessageDate", "date"].contains(field.name)
  }
}

extension String {
  /// Whether it means the same to whoever compares addresses, and stands in a list of them.
  fileprivate var isPlainAddress: Bool {
    !isEmpty && utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ",") }
  }
}

extension Date {
  /// The moment of a code by which conditions compare moments: the code of a code is the value.
  fileprivate init(code: UInt64) {
    let value = FixedOrder.code(of: code, .timestamp)
    self.init(kept: Timestamp(rawValue: Int64(bitPattern: value)))
  }
}
