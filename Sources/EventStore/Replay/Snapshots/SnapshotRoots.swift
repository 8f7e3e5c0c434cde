import LMDB

/// The roots of a folder's snapshots: the meta pages of its data file after each commit.
///
/// The data file only grows at its end, so a commit's meta pages restore its content, followed by
/// pages that are not read. The file of roots consists of a seal and a body:
///
///      0  16  the store
///     16  16  its incarnation
///     32  16  the recipe of the rows
///     48   8  the hash of all views' plans
///     56   4  page size in bytes
///     60   4  number of snapshots, followed for each by
///              8  the last record's number
///              4  the chain there
///              4  unused
///              …  two meta pages
///
/// Integers are little-endian.
struct SnapshotRoots {
  /// The name of the file.
  static let file = "roots"
  /// The maximum size of a valid file in bytes.
  static let byteCountMax = 64 << 20
  private static let seal = Seal(magic: "TIDEROOT", format: 3)
  private static let headCount = 64
  private static let placeCount = 16

  /// The subject of the snapshots.
  let subject: Subject
  let pageSize: Int
  /// The snapshots, in ascending order.
  private(set) var roots: [Root] = []

  /// The snapshots' log and their rules.
  struct Subject: Hashable {
    let store: StoreID
    let incarnation: StoreID
    let recipe: Recipe
    let plans: UInt64

    init(_ log: Log, _ definitions: Definitions) {
      (store, incarnation, recipe) = (log.store, log.incarnation, definitions.recipe)
      plans = definitions.plans.reduce(into: Mixer(seed: 0)) { $0.add($1.hash) }.value
    }

    fileprivate init(_ store: StoreID, _ incarnation: StoreID, _ recipe: Recipe, _ plans: UInt64) {
      (self.store, self.incarnation) = (store, incarnation)
      (self.recipe, self.plans) = (recipe, plans)
    }
  }

  /// One snapshot.
  struct Root {
    let applied: LogPoint
    let metas: [UInt8]
  }

  init(of subject: Subject, pageSize: Int) { (self.subject, self.pageSize) = (subject, pageSize) }

  mutating func append(_ root: Root) { roots.append(root) }

  /// The stored size in bytes.
  var byteCount: Int { Seal.byteCount + Self.headCount + roots.count * rootSize }

  private var rootSize: Int { Self.placeCount + 2 * pageSize }

  /// Whether the file stays valid with one more.
  var hasRoom: Bool { byteCount + rootSize <= Self.byteCountMax }

  /// Drops snapshots that a log doesn't hold.
  mutating func keep(_ isHeld: (LogPoint) -> Bool) { roots.removeAll { !isHeld($0.applied) } }

  /// The stored bytes.
  var bytes: [UInt8] {
    var body = subject.store.bytes + subject.incarnation.bytes
    for word in [subject.recipe.definitions, subject.recipe.reducers, subject.plans] {
      body.append(littleEndian: word)
    }
    body.append(littleEndian: UInt32(pageSize))
    body.append(littleEndian: UInt32(roots.count))
    for root in roots {
      body.append(littleEndian: root.applied.number.rawValue)
      body.append(littleEndian: root.applied.chain)
      body.append(littleEndian: 0 as UInt32)
      body += root.metas
    }
    return Self.seal.bytes(sealing: body)
  }

  /// Decodes stored bytes; returns `nil` if they are damaged.
  init?(_ bytes: RawSpan) {
    guard Self.seal.isWhole(bytes) else { return nil }
    let body = bytes.extracting(droppingFirst: Seal.byteCount)
    guard body.byteCount >= Self.headCount,
      let store = StoreID(bytes: body.extracting(0..<16).array),
      let incarnation = StoreID(bytes: body.extracting(16..<32).array)
    else { return nil }
    let recipe = Recipe(
      definitions: body.integer(UInt64.self, at: 32), reducers: body.integer(UInt64.self, at: 40))
    subject = Subject(store, incarnation, recipe, body.integer(UInt64.self, at: 48))
    pageSize = Int(body.integer(UInt32.self, at: 56))
    let count = Int(body.integer(UInt32.self, at: 60))
    let size = rootSize
    guard body.byteCount == Self.headCount + count * size else { return nil }
    for index in 0..<count {
      let start = Self.headCount + index * size
      let number = RecordNumber(rawValue: body.integer(UInt64.self, at: start))
      let chain = body.integer(UInt32.self, at: start + 8)
      let metas = body.extracting((start + Self.placeCount)..<(start + size)).array
      roots.append(Root(applied: LogPoint(number: number, chain: chain), metas: metas))
    }
  }
}
