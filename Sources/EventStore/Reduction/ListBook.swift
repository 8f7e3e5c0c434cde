import LMDB

/// The views and their indexes, with what a batch has changed in them so far.
///
/// An event's changes are noted as nets, one for each row and list; the indexes learn of them
/// together, in the order of their keys, when the batch ends or somebody asks sooner.
struct ListBook {
  /// The views: those of the reducer, and behind them others that are looked at.
  private(set) var views: [KeptView]
  /// How many are the reducer's.
  let keptCount: Int
  var nets = NetTable()
  /// What the batch's events did to lists, and the bytes of all keys.
  private(set) var changes = ListChanges()
  /// The views of each collection.
  private(set) var listeners: [[Listener]]
  /// Whether indexes are left alone, since they will be built when all rows are there, or when
  /// somebody asks for one; nothing is journaled meanwhile.
  private(set) var isDeferred = false
  /// The views of which it can't be told what the batch did to them.
  private(set) var upset: Set<UInt16> = []
  /// What indexes of snapshots lag behind by.
  private var lag: IndexLag?
  /// Whether somebody has asked for an index meanwhile.
  private var hasEarly = false
  private var operations: [[IndexOperation<Range<Int>>]]
  /// The views that ``operations`` has something for.
  private var pending: [UInt16] = []
  /// The bytes that the nodes take which this frame changed.
  private(set) var dirtyBytes = 0
  /// The views of which it changed some.
  private var dirty: [UInt16] = []
  /// Those of the frame that is being committed.
  private var frozen: [UInt16] = []
  /// How often a view was asked what a row's change does to it, or brought up to date.
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

  /// Whether nobody has to know what events do to lists.
  var isIdle: Bool { isDeferred && !hasEarly }

  /// Notes what an event did to a row, also in the journal.
  @inline(__always)
  mutating func note(
    _ row: RowID, of collection: UInt8, before: RowView?, now: RowView, touched: UInt64,
    in journal: inout Journal
  ) {
    let all = listeners[Int(collection)]
    let listeners = all.span
    visits += listeners.count
    for index in listeners.indices {
      note(row, before, now, touched, in: listeners[index], &journal)
    }
  }

  @inline(__always)
  private mutating func note(
    _ row: RowID, _ before: RowView?, _ now: RowView, _ touched: UInt64,
    in listener: borrowing Listener, _ journal: inout Journal
  ) {
    guard row.rawValue <= listener.reach else { return }
    let start = changes.changes.count
    changes.add(before: before, after: now, touched: touched, in: listener.plan)
    for index in start..<changes.changes.count {
      let change = changes.changes[index]
      nets.add(listener.place, change.group, row, from: change.old, to: change.new)
      if listener.isKept, !isDeferred { record(change, of: row, in: listener.number, &journal) }
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

  /// Leaves all indexes alone from now on, until somebody asks for one; some may be of rows as they
  /// were long before.
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

  /// Ends that; indexes that nobody asked for are still to be built.
  mutating func endPuttingOff() { isDeferred = false }

  /// Builds an index that was left alone, as somebody asks for it: a reducer within an event, or
  /// whoever looks between two batches.
  ///
  /// From then on it is kept up to date.
  mutating func require(_ view: Int, _ shelves: [Shelf], isWithinEvent: Bool) throws {
    guard !views[view].isBuilt else { return }
    try build(view, shelves, isWithinEvent: isWithinEvent)
    hasEarly = true
  }

  /// Builds an index from the rows that there are, or, within an event, that there were before.
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

  /// Notes what happened to the rows that the index of a view knows of which was left alone, as if
  /// this batch had done it; says which is the last of them.
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

  /// Has a view be told of the rows that its index knows of.
  mutating func noteReach(of view: Int) {
    let collection = Int(views[view].collection)
    guard let index = listeners[collection].firstIndex(where: { Int($0.place) == view })
    else { return }
    listeners[collection][index].reach = views[view].builtThrough
  }

  /// Takes notice of the nodes that were changed in an index.
  private mutating func count(_ place: UInt16) {
    let view = views[Int(place)]
    guard view.isKept else { return }
    let bytes = view.dirtyBytes
    if view.countedBytes == 0, bytes > 0 { dirty.append(place) }
    dirtyBytes += bytes - view.countedBytes
    view.countedBytes = bytes
  }

  /// Puts a view behind all others.
  mutating func append(_ view: KeptView) {
    views.append(view)
    operations.append([])
  }

  /// Puts a view in the place of another.
  mutating func replace(_ place: Int, by view: KeptView) {
    views[place] = view
    operations[place] = []
  }

  /// Has a view learn of what happens to rows of a collection.
  mutating func enter(_ place: Int, _ collection: UInt8) {
    listeners[Int(collection)].append(Listener(views[place], at: place))
  }

  /// Has a view learn of them no more.
  mutating func leave(_ place: Int, _ collection: UInt8) {
    listeners[Int(collection)].removeAll { $0.place == UInt16(place) }
  }

  /// Forgets a batch that has been dealt with.
  mutating func endBatch() {
    nets.removeAll()
    changes.removeAll()
    upset = []
  }

  /// Brings the indexes up to date with the nets.
  ///
  /// - Parameter isInEvent: Whether an event is under way, which the nets know nothing of yet.
  mutating func settle(_ shelves: [Shelf], isInEvent: Bool = false) throws {
    guard !nets.nets.isEmpty || !pending.isEmpty else { return }
    gather()
    defer { nets.settle() }
    for place in pending {
      let view = Int(place)
      try apply(view, shelves[Int(views[view].collection)], isInEvent)
      operations[view].removeAll(keepingCapacity: true)
      count(place)
    }
    visits += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  /// Puts what the indexes don't know yet into ``operations``.
  private mutating func gather() {
    let areFew = nets.nets.count <= Self.fewNets
    for place in nets.nets.indices {
      let net = nets.nets[place]
      guard net.indexed != net.new else { continue }
      if changes.keys.bytes(at: net.indexed).equals(changes.keys.bytes(at: net.new)) { continue }
      let view = Int(net.view)
      if !net.indexed.isEmpty {
        add(indexOperation(view, net.row, net.indexed, isInsertion: false), of: view)
      }
      if !net.new.isEmpty {
        add(indexOperation(view, net.row, net.new, isInsertion: true), of: view)
      }
      guard areFew, let operation = operations[view].last else { continue }
      views[view].index.prefetch(operation.words)
    }
  }

  /// Of so few each has its leaf fetched before the first is dealt with.
  ///
  /// They seldom share one, and so all are waited for together. Of more, an index fetches one leaf
  /// while it changes another.
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
  /// Changes an index by what was gathered for it.
  private mutating func apply(_ view: Int, _ shelf: Shelf, _ isInEvent: Bool) throws {
    var ties = KeyTies(UInt16(view), views[view].plan, shelf, nets, changes.keys)
    ties.isInEvent = isInEvent
    let count = operations[view].count
    guard count <= Self.singlesMax else {
      ties.recent = RecentKeys(isKept: true)
      return try views[view].index.apply(sortedOperations(of: view).span, &ties)
    }
    // What goes out comes first, so that an equal key may come in.
    for index in 0..<count where !operations[view][index].isInsertion {
      let operation = operations[view][index]
      try views[view].index.remove(operation.words, operation.row, token: operation.token, &ties)
    }
    ties.isPastRemovals = true
    for index in 0..<count where operations[view][index].isInsertion {
      let operation = operations[view][index]
      try views[view].index.insert(operation.words, operation.row, token: operation.token, &ties)
    }
  }

  /// How many operations are cheaper one by one than sorted and together.
  private static let singlesMax = 4

  /// What was gathered for a view, by sort key; of equal keys, the one that goes out comes first.
  private func sortedOperations(of view: Int) -> [IndexOperation<Range<Int>>] {
    let (operations, plan, keys) = (operations[view], views[view].plan, changes.keys)
    let order = WordOrder(count: operations.count) {
      operations[$0].words
    } _: { left, right in
      let order = plan.compare(
        keys.bytes(at: operations[left].token), keys.bytes(at: operations[right].token))
      return order == 0
        ? !operations[left].isInsertion && operations[right].isInsertion : order < 0
    }
    return order.sorted(operations)
  }
}

extension ListBook {
  /// Ends the frame: what it changed in each index.
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
  /// What is to be found out of the views of a collection, when an event touched very many rows of
  /// it; the indexes are as they were before.
  func overhauls(ofCollection place: UInt8) -> [Overhaul] {
    listeners[Int(place)].map(\.place).filter { views[Int($0)].isBuilt }.map {
      Overhaul(views[Int($0)], $0)
    }
  }

  /// Brings an index up to date with such an event; says whether it did anything to the view.
  ///
  /// Of what the batch did to the view before nothing is known any more.
  mutating func apply(_ overhaul: consuming Overhaul, _ shelf: Shelf) throws -> Bool {
    let (view, isConcerned) = (overhaul.place, overhaul.isConcerned)
    if nets.remove(view: view) || isConcerned { upset.insert(view) }
    try overhaul.apply(shelf)
    count(view)
    return isConcerned
  }
}
