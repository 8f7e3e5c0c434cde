import LMDB

/// The views and their indexes, together with the changes of the current batch.
///
/// An event's changes are noted as nets, one per row and list. The indexes apply all nets together,
/// in key order, when the batch ends or earlier if a list is queried.
struct ListBook {
  /// The views: the reducer's, followed by others in use.
  private(set) var views: [KeptView]
  /// The number of the reducer's views.
  let keptCount: Int
  var nets = NetTable()
  /// The batch's changes to lists and the bytes of all keys.
  private(set) var changes = ListChanges()
  /// The listening views of each collection.
  private(set) var listeners: [[Listener]]
  /// Whether indexes are left alone until all rows are there or an index is needed; nothing is
  /// journaled meanwhile.
  private(set) var isDeferred = false
  /// The views for which the batch's changes are unknown.
  private(set) var upset: Set<UInt16> = []
  /// The lag of the snapshot's indexes.
  private var lag: IndexLag?
  /// Whether an index was needed meanwhile.
  private var hasEarly = false
  /// The operations collected for each index.
  private(set) var operations: [[IndexOperation<Range<Int>>]]
  /// The views that have entries in ``operations``.
  private var pending: [UInt16] = []
  /// The views whose nets have the last event already.
  private var ahead = ViewSet()
  /// The size in bytes of the nodes that this frame changed.
  private(set) var dirtyBytes = 0
  /// The views with nodes changed by this frame.
  private var dirty: [UInt16] = []
  /// The changed views of the frame being committed.
  private var frozen: [UInt16] = []
  /// How often a view had to examine a row's change or be brought up to date, or a net was examined
  /// for that.
  private(set) var visits = 0

  init(_ views: [KeptView], collectionCount: Int) {
    self.views = views
    keptCount = views.count
    operations = Array(repeating: [], count: views.count)
    listeners = (0..<collectionCount).map { collection in
      views.indices.filter { views[$0].collection == collection }.map {
        Listener(views[$0], at: $0)
      }
    }
  }

  /// The reducer's views.
  var kept: ArraySlice<KeptView> { views.prefix(keptCount) }

  /// Whether nothing needs to know the events' changes to lists.
  var isIdle: Bool { isDeferred && !hasEarly }

  /// Notes what an event did to the rows of a collection, also in the journal.
  @inline(__always)
  mutating func note(_ table: borrowing RowTable, of place: UInt8, in journal: inout Journal) {
    let (number, shape) = (table.collection.number, table.shape)
    let (listeners, isJournaled) = (listeners[Int(place)], !isDeferred)
    table.forEachTouchedRow { row, before, now in
      let touched =
        isJournaled
        ? journal.appendRow(row, from: before, to: now, of: number, shape)
        : now.changes(from: before, shape)
      note(row, before: before, now: now, touched: touched, by: listeners, in: &journal)
    }
  }

  /// Notes what an event did to a row, also in the journal.
  ///
  /// No view is told of a row that looks the same as before.
  @inline(__always)
  private mutating func note(
    _ row: RowID, before: RowView?, now: RowView, touched: UInt64, by listeners: [Listener],
    in journal: inout Journal
  ) {
    if Self.looksTheSame(touched, before, now) { return }
    visits += listeners.count
    let all = listeners.span
    for index in all.indices { note(row, before, now, touched, in: all[index], &journal) }
  }

  @inline(__always)
  private static func looksTheSame(
    _ touched: UInt64, _ before: RowView?, _ now: RowView
  ) -> Bool {
    guard touched == 0, let before else { return false }
    return before.flags == now.flags && before.id.equals(now.id)
  }

  @inline(__always)
  private mutating func note(
    _ row: RowID, _ before: RowView?, _ now: RowView, _ touched: UInt64,
    in listener: Listener, _ journal: inout Journal
  ) {
    let (isAhead, isJournaled) = (
      ahead.contains(Int(listener.place)), listener.isKept && !isDeferred
    )
    guard row.rawValue <= listener.reach, isJournaled || !isAhead else { return }
    let start = changes.changes.count
    changes.add(before: before, after: now, touched: touched, in: listener.plan)
    for index in start..<changes.changes.count {
      let change = changes.changes[index]
      if !isAhead { add(change, of: row, in: listener) }
      if isJournaled { record(change, of: row, in: listener.number, &journal) }
    }
  }

  @inline(__always)
  private mutating func add(_ change: ListChanges.Change, of row: RowID, in listener: Listener) {
    nets.add(listener.place, change.group, row, from: change.old, to: change.new)
  }

  /// Lets the nets of some views have the batch's last event before it is noted for all.
  mutating func beginAhead(_ views: ViewSet) { ahead = views }

  /// Notes what the last event did to the rows of a collection, for these views alone.
  mutating func noteAhead(_ table: borrowing RowTable, of place: UInt8) {
    let (listeners, shape) = (listeners[Int(place)], table.shape)
    guard listeners.contains(where: { ahead.contains(Int($0.place)) }) else { return }
    table.forEachTouchedRow { row, before, now in
      noteAhead(row, before, now, now.changes(from: before, shape), by: listeners)
    }
  }

  private mutating func noteAhead(
    _ row: RowID, _ before: RowView?, _ now: RowView, _ touched: UInt64, by listeners: [Listener]
  ) {
    if Self.looksTheSame(touched, before, now) { return }
    let all = listeners.span
    for index in all.indices where ahead.contains(Int(all[index].place)) {
      guard row.rawValue <= all[index].reach else { continue }
      visits += 1
      let start = changes.changes.count
      changes.add(before: before, after: now, touched: touched, in: all[index].plan)
      for change in changes.changes[start...] { add(change, of: row, in: all[index]) }
    }
  }

  @inline(__always)
  private func record(
    _ change: ListChanges.Change, of row: RowID, in number: UInt16, _ journal: inout Journal
  ) {
    let (old, new) = (changes.keys.bytes(at: change.old), changes.keys.bytes(at: change.new))
    switch (old.isEmpty, new.isEmpty) {
    case (true, _): journal.appendList(ofView: number, group: change.group, row, from: nil, to: new)
    case (_, true): journal.appendList(ofView: number, group: change.group, row, from: old, to: nil)
    default: journal.appendList(ofView: number, group: change.group, row, from: old, to: new)
    }
  }

  /// Leaves all indexes alone until one is needed; some may reflect much older rows.
  ///
  /// - Precondition: Nothing was changed in this frame.
  mutating func putOff(_ lag: IndexLag? = nil) {
    (isDeferred, hasEarly, self.lag) = (true, false, lag)
    for place in kept.indices
    where views[place].isBuilt || (lag != nil && views[place].lag != nil) {
      let isCurrent = lag?.isCurrent(place) ?? true
      views[place].fallBehind(isCurrent ? .frame : .snapshot)
      noteReach(of: place)
    }
  }

  /// Stops leaving indexes alone; those not needed so far are still unbuilt.
  mutating func endPuttingOff() { isDeferred = false }

  /// Builds an index that was left alone because a reducer needs it within an event, or a reader
  /// between two batches.
  ///
  /// The index is kept up to date from then on.
  mutating func require(_ view: Int, _ shelves: [Shelf], isWithinEvent: Bool) throws {
    guard !views[view].isBuilt else { return }
    try build(view, shelves, isWithinEvent: isWithinEvent)
    hasEarly = true
  }

  /// Builds an index from the current rows or, within an event, from the rows before it.
  mutating func build(_ view: Int, _ shelves: [Shelf], isWithinEvent: Bool) throws {
    let shelf = shelves[Int(views[view].collection)]
    var last: UInt32 = 0
    if let lag = views[view].lag {
      last = try noteChanges(of: view, shelf, since: lag, isWithinEvent: isWithinEvent)
      try settle(shelves, isInEvent: isWithinEvent)
    }
    try views[view].add(from: last + 1, of: shelf, isWithinEvent: isWithinEvent)
    views[view].catchUp()
    noteReach(of: view)
    count(UInt16(view))
  }

  /// Notes the changes to rows covered by the index of a view left alone as if this batch had made
  /// them; returns the last of these rows.
  private mutating func noteChanges(
    of view: Int, _ shelf: Shelf, since lag: KeptView.Lag, isWithinEvent: Bool
  ) throws(RowError) -> UInt32 {
    let (plan, place) = (views[view].plan, Int(views[view].collection))
    let origin = lag == .snapshot ? self.lag.map { ($0.origins[view], $0.past[place]) } : nil
    try shelf.forEachChange(since: origin, beforeEvent: isWithinEvent) { row, before, now in
      let start = changes.changes.count
      changes.add(before: before, after: now, in: plan)
      for index in start..<changes.changes.count where !changes.changes[index].isUpdate {
        let change = changes.changes[index]
        nets.add(UInt16(view), change.group, row, from: change.old, to: change.new)
      }
    }
    return origin?.0.lastID ?? shelf.table.lastBeforeFrame
  }

  /// Limits what a view is told about to the rows that its index covers.
  mutating func noteReach(of view: Int) {
    let collection = Int(views[view].collection)
    guard let index = listeners[collection].firstIndex(where: { Int($0.place) == view })
    else { return }
    listeners[collection][index].reach = views[view].builtThrough
  }

  /// Updates the count of changed node bytes for an index.
  private mutating func count(_ place: UInt16) {
    let view = views[Int(place)]
    guard view.isKept else { return }
    let bytes = view.dirtyBytes
    if view.countedBytes == 0, bytes > 0 { dirty.append(place) }
    dirtyBytes += bytes - view.countedBytes
    view.countedBytes = bytes
  }

  /// Appends a view.
  mutating func append(_ view: KeptView) {
    views.append(view)
    operations.append([])
  }

  /// Replaces the view at a place.
  mutating func replace(_ place: Int, by view: KeptView) {
    views[place] = view
    operations[place] = []
  }

  /// Starts telling a view about changes to rows of a collection.
  mutating func enter(_ place: Int, _ collection: UInt8) {
    listeners[Int(collection)].append(Listener(views[place], at: place))
  }

  /// Stops telling a view about row changes.
  mutating func leave(_ place: Int, _ collection: UInt8) {
    listeners[Int(collection)].removeAll { $0.place == UInt16(place) }
  }

  /// Discards a batch that has been processed.
  mutating func endBatch() {
    nets.removeAll()
    changes.removeAll()
    upset = []
    ahead = ViewSet()
  }

  /// Brings the indexes up to date with the nets.
  ///
  /// - Parameter isInEvent: Whether an event is under way, whose changes are not in the nets yet.
  mutating func settle(_ shelves: [Shelf], isInEvent: Bool = false) throws {
    gather { _ in true }
    try applyGathered(shelves, isInEvent)
    nets.settle()
  }

  /// Brings the indexes of some views up to date with the nets; those of the others follow with
  /// ``settle(_:isInEvent:)``.
  mutating func settle(_ shelves: [Shelf], only views: ViewSet) throws {
    gather { views.contains(Int($0)) }
    try applyGathered(shelves, false)
    nets.settle { views.contains(Int($0)) }
  }

  /// Collects the changes not yet applied to the indexes of some views in ``operations``.
  @inline(__always)
  private mutating func gather(_ isConcerned: (UInt16) -> Bool) {
    let (again, fresh) = (nets.again, nets.fresh)
    let areFew = again.count + fresh.count <= Self.fewNets
    visits += again.count + fresh.count
    for place in again where isConcerned(nets.nets[place].view) { gather(place, areFew: areFew) }
    for place in fresh where isConcerned(nets.nets[place].view) { gather(place, areFew: areFew) }
  }

  /// Applies ``operations``.
  private mutating func applyGathered(_ shelves: [Shelf], _ isInEvent: Bool) throws {
    for place in pending {
      let view = Int(place)
      try apply(view, shelves[Int(views[view].collection)], isInEvent)
      operations[view].removeAll(keepingCapacity: true)
      count(place)
      visits += 1
    }
    pending.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  private mutating func gather(_ place: Int, areFew: Bool) {
    let net = nets.nets[place]
    guard net.indexed != net.new else { return }
    if changes.keys.bytes(at: net.indexed).equals(changes.keys.bytes(at: net.new)) { return }
    let view = Int(net.view)
    if !net.indexed.isEmpty {
      add(indexOperation(view, net.row, net.indexed, isInsertion: false), of: view)
    }
    if !net.new.isEmpty {
      add(indexOperation(view, net.row, net.new, isInsertion: true), of: view)
    }
    guard areFew, let operation = operations[view].last else { return }
    views[view].index.prefetch(operation.words)
  }

  /// The most nets for which each leaf is fetched before the first is changed.
  ///
  /// So few nets seldom share a leaf, so their fetches overlap. With more nets, an index fetches
  /// one leaf while it changes another.
  private static let fewNets = 16

  @inline(__always)
  private mutating func add(_ operation: IndexOperation<Range<Int>>, of view: Int) {
    if operations[view].isEmpty { pending.append(UInt16(view)) }
    operations[view].append(operation)
  }

  @inline(__always)
  private mutating func indexOperation(
    _ view: Int, _ row: RowID, _ key: Range<Int>, isInsertion: Bool
  ) -> IndexOperation<Range<Int>> {
    let bytes = changes.keys.bytes(at: key)
    let words = views[view].plan.words(in: bytes)
    let hash = Mixer.hash(bytes)
    guard isInsertion else {
      views[view].index.hash &-= hash
      return .remove(words, row, token: key)
    }
    views[view].index.hash &+= hash
    return .insert(words, row, token: key)
  }
}

extension ListBook {
  /// Ends the frame and returns its changes to each index.
  mutating func freeze() -> [FrozenNodes] {
    precondition(frozen.isEmpty, "the frame before is not committed")
    dirtyBytes = 0
    swap(&frozen, &dirty)
    frozen.sort()
    return frozen.map { place in
      let view = views[Int(place)]
      view.countedBytes = 0
      return view.index.freeze()
    }
  }

  /// Notes that the frame is committed.
  mutating func committed() {
    for place in frozen { views[Int(place)].index.committed() }
    frozen.removeAll(keepingCapacity: true)
  }
}

extension ListBook {
  /// Returns overhauls for the views of a collection after an event touched very many of its rows;
  /// the indexes still reflect the rows before it.
  func overhauls(ofCollection place: UInt8) -> [Overhaul] {
    listeners[Int(place)].map(\.place).filter { views[Int($0)].isBuilt }.map {
      Overhaul(views[Int($0)], $0)
    }
  }

  /// Brings an index up to date with such an event; returns whether the event affected the view.
  ///
  /// The batch's earlier changes to the view are no longer known.
  mutating func apply(_ overhaul: consuming Overhaul, _ shelf: Shelf) throws -> Bool {
    let (view, isConcerned) = (overhaul.place, overhaul.isConcerned)
    if nets.remove(view: view) || isConcerned { upset.insert(view) }
    try overhaul.apply(shelf)
    count(view)
    return isConcerned
  }
}
