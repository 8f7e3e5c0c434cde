import EventStore
import LMDB
import TestSupport
import Testing

/// A view of parcels, by its definition: the lists that contain a parcel, and its key in each.
enum ModelView: UInt16, CaseIterable {
  /// All parcels that have a weight, sorted by it.
  case byWeight = 1
  /// One list for each tag, sorted by price.
  case byTag = 2

  func places(of parcel: ParcelModel?) -> [UInt64: [UInt8]] {
    guard let parcel else { return [:] }
    var places: [UInt64: [UInt8]] = [:]
    switch self {
    case .byWeight:
      guard let weight = parcel.weight else { return [:] }
      places[0] = key(UInt64(bitPattern: Int64(weight)), nil, parcel.id)
    case .byTag:
      for tag in parcel.tags ?? [] {
        let group = Mixer.hash(Array(tag.utf8).raw)
        places[group] = key(group, parcel.price?.bitPattern, parcel.id)
      }
    }
    return places
  }

  private func key(_ first: UInt64, _ second: UInt64?, _ id: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: first)
    if let second { bytes.append(littleEndian: second) }
    return bytes + Array(id.utf8)
  }
}

/// A journal in a real file, and the whole history as its model.
final class JournalModel {
  let folder: TemporaryFolder
  var environment: Environment
  var reader: KeptReader
  var base: Table<UInt64, [UInt8]>
  var journal: Journal
  let seed: UInt64
  /// Whether a view begins anew now and then.
  let restarts: Bool
  var random: SeededGenerator
  var frozen: FrozenJournal?
  /// The parcels after each event, by row, and the event's number; the first number is 0.
  var history: [(number: UInt64, parcels: [UInt32: ParcelModel])] = [(0, [:])]

  init(seed: UInt64, _ limits: JournalLimits, restarts: Bool = false) throws {
    self.restarts = restarts
    self.seed = seed
    folder = try TemporaryFolder()
    random = SeededGenerator(seed: seed)
    environment = try Environment(at: folder.path)
    base = try JournalBase.table(in: environment)
    reader = KeptReader(environment)
    journal = try Journal(over: JournalBase(reader, base), limits)
    journal.begin(.rows(of: Parcel.all.number), after: 0)
    for view in ModelView.allCases { journal.begin(.lists(ofView: view.rawValue), after: 0) }
  }

  var comment: Comment { "seed \(seed)" }

  func step() throws {
    for _ in 0..<Int.random(in: 0..<6, using: &random) { try event() }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: if frozen == nil { frozen = try journal.freeze() }
    case 1: try commit()
    case 2: try reopen()
    case 3: if restarts { journal.begin(.lists(ofView: 2), after: journal.catalog.last) }
    default: break
    }
    try journal.checkInvariants()
    for _ in 0..<4 { try expectNet() }
  }

  /// Appends one event, which changes some parcels.
  private func event() throws {
    var (number, parcels) = history[history.count - 1]
    number += .random(in: 1...3, using: &random)
    journal.append(number)
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      let row = UInt32.random(in: 1...8, using: &random)
      guard history[history.count - 1].parcels[row] == parcels[row] else { continue }
      let before = parcels[row]
      var parcel = before ?? ParcelModel(id: "p\(row)")
      for _ in 0..<Int.random(in: 1...3, using: &random) { _ = parcel.change(using: &random) }
      let isGone = before != nil && Int.random(in: 0..<5, using: &random) == 0
      parcels[row] = isGone ? nil : parcel
      try append(row, before, parcels[row])
    }
    history.append((number, parcels))
  }

  private func append(_ row: UInt32, _ before: ParcelModel?, _ now: ParcelModel?) throws {
    let id = RowID(rawValue: row)
    let absent: [UInt8] = try ModelRow.absent("p\(row)").bytes
    let old = try before.map { try ModelRow.present($0).bytes }
    let new = try now.map { try ModelRow.present($0).bytes } ?? absent
    let changed: UInt64
    if let old {
      changed = journal.appendRow(
        id, from: RowView(old.raw), to: RowView(new.raw), of: Parcel.all.number, Parcel.all.shape)
    } else {
      changed = journal.appendRow(
        id, from: nil, to: RowView(new.raw), of: Parcel.all.number, Parcel.all.shape)
    }
    guard changed != 0 || (before == nil) != (now == nil) else { return }
    for view in ModelView.allCases {
      let (from, to) = (view.places(of: before), view.places(of: now))
      for group in Set(from.keys).union(to.keys) {
        append(view, group, id, from[group], to[group])
      }
    }
  }

  private func append(
    _ view: ModelView, _ group: UInt64, _ id: RowID, _ old: [UInt8]?, _ new: [UInt8]?
  ) {
    let view = view.rawValue
    switch (old, new) {
    case (let old?, let new?):
      journal.appendList(ofView: view, group: group, id, from: old.raw, to: new.raw)
    case (let old?, nil):
      journal.appendList(ofView: view, group: group, id, from: old.raw, to: nil)
    case (nil, let new?):
      journal.appendList(ofView: view, group: group, id, from: nil, to: new.raw)
    case (nil, nil): break
    }
  }

  private func commit() throws {
    guard let written = frozen else { return }
    let base = base
    try environment.write(.none) { transaction throws(LMDBError) in
      try written.write(to: &transaction, base)
    }
    frozen = nil
    try reader.renew()
    journal.committed()
  }

  fileprivate func reopen() throws {
    try commit()
    frozen = try journal.freeze()
    let (catalog, limits) = (journal.catalog, journal.limits)
    try commit()
    reader.end()
    environment.close()
    environment = try Environment(at: folder.path)
    base = try JournalBase.table(in: environment)
    reader = KeptReader(environment)
    journal = try Journal(over: JournalBase(reader, base), limits)
    #expect(journal.catalog == catalog, comment)
  }
}

extension JournalModel {
  /// Expects the journal to keep its limits once the last frame is no longer the newest.
  func expectBounded() throws {
    for _ in 0..<2 { try reopen() }
    let count = journal.catalog.streams.reduce(0) { $0 + $1.byteCount }
    #expect(count <= journal.limits.bytesMax, comment)
    try journal.checkInvariants()
  }
}

/// The net change of one row in one list.
private struct NetChange: Equatable {
  var old: [UInt8]?
  var new: [UInt8]?
}

extension JournalModel {
  /// Expects the net of a random stretch to match the states at both ends.
  fileprivate func expectNet() throws {
    let ends = [0, 1].map { _ in Int.random(in: 0..<history.count, using: &random) }.sorted()
    let (first, last) = (history[ends[0]], history[ends[1]])
    let view = ModelView.allCases.randomElement(using: &random) ?? .byTag
    let net = try journal.net(
      ofView: view.rawValue, rowsOf: Parcel.all.number, after: first.number, through: last.number)
    guard let net else { return expectGone(view, first.number) }
    var found: [RowID: [UInt64: NetChange]] = [:]
    for change in net.changes {
      let keys = NetChange(old: net.oldKey(change)?.array, new: net.newKey(change)?.array)
      #expect(found[change.row]?[change.group] == nil, comment)
      found[change.row, default: [:]][change.group] = keys
      try expectFields(net, change, first.parcels, last.parcels)
    }
    for row in Set(first.parcels.keys).union(last.parcels.keys) {
      let (from, to) = (first.parcels[row], last.parcels[row])
      let changes = found.removeValue(forKey: RowID(rawValue: row)) ?? [:]
      expectKeys(
        changes, view.places(of: from), view.places(of: to),
        isSame: from?.compared == to?.compared)
    }
    #expect(found.isEmpty, comment)
    try expectLists(net, view, first.number, last.number)
  }

  /// Expects the keys to match both ends; if the row differs there, all its keys must be included.
  private func expectKeys(
    _ changes: [UInt64: NetChange], _ from: [UInt64: [UInt8]], _ to: [UInt64: [UInt8]],
    isSame: Bool
  ) {
    for group in Set(from.keys).union(to.keys) where !isSame || changes[group] != nil {
      #expect(changes[group] == NetChange(old: from[group], new: to[group]), comment)
    }
    #expect(Set(changes.keys).isSubset(of: Set(from.keys).union(to.keys)), comment)
  }

  /// Expects the changed fields to be those whose digests differ, with their old digests.
  private func expectFields(
    _ net: borrowing JournalNet, _ change: JournalNet.Change, _ first: [UInt32: ParcelModel],
    _ last: [UInt32: ParcelModel]
  ) throws {
    let (old, new) = (first[change.row.rawValue], last[change.row.rawValue])
    let (before, now) = (try old?.row(), try new?.row())
    var changed: UInt64 = 0
    for field in Parcel.all.fields where !field.isHidden {
      let digests = (before?.digest(of: field.number) ?? 0, now?.digest(of: field.number) ?? 0)
      if digests.0 != digests.1 { changed |= 1 << UInt64(field.number - 1) }
      guard net.changed(change) >> UInt64(field.number - 1) & 1 == 1 else { continue }
      #expect(net.oldDigest(change, of: field.number - 1) == digests.0, comment)
    }
    let bytes = try new.map { try ModelRow.present($0).bytes } ?? ModelRow.absent("p").bytes
    let really = net.reallyChanged(change, now: RowView(bytes.raw), Parcel.all.shape)
    #expect(really == changed, comment)
  }

  /// Expects the net of each single list to be its part of the whole.
  private func expectLists(
    _ net: borrowing JournalNet, _ view: ModelView, _ first: UInt64, _ last: UInt64
  ) throws {
    for group in Set(net.changes.map(\.group)) {
      let list = try journal.net(
        ofView: view.rawValue, group: group, rowsOf: Parcel.all.number, after: first, through: last)
      let rows = try #require(list).changes.map(\.row)
      #expect(rows == net.changes.filter { $0.group == group }.map(\.row), comment)
    }
  }

  private func expectGone(_ view: ModelView, _ first: UInt64) {
    let floors = [JournalStream.lists(ofView: view.rawValue), .rows(of: Parcel.all.number)]
      .compactMap { journal.floor(of: $0) }
    #expect(first < (floors.max() ?? 0), comment)
  }
}
