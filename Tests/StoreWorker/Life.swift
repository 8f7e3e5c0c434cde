import EventStore
import LMDB
import TestSupport
import ToyDomains

/// The life of a process that works on a store until it is killed: it appends, closes and reopens
/// the store, and rebuilds its views.
struct Life<T: Toy> {
  private let path: String
  private let seed: UInt64
  /// The phase that this life favors.
  private let bent: LifePhase?
  private var generator: SeededGenerator

  private init(_ path: String, _ seed: UInt64, _ bent: LifePhase?) {
    self.path = path
    self.seed = seed
    self.bent = bent
    generator = SeededGenerator(seed: seed)
  }

  /// Runs a life on the store at a path.
  ///
  /// Prints its phases, and each acknowledged batch's last record with the log's chain there.
  static func live(_ path: String, _ seed: UInt64, bent: LifePhase?) async throws {
    var life = Life(path, seed, bent)
    try await life.live()
  }

  private mutating func live() async throws {
    let mix = T.Mix.random(using: &generator)
    if generator.onceIn(3) { try removeViews() }
    var store = try await open()
    tell("opened")
    while true {
      switch next() {
      case .open, .close:
        await close(store)
        store = try await open()
      case .rebuild, .swap:
        await close(store)
        try removeViews()
        store = try await open()
      case .suspend, .resume:
        tell(LifePhase.suspend.line)
        await store.suspend()
        tell(LifePhase.resume.line)
        try await store.resume()
      case .commit:
        tell(LifePhase.commit.line)
        try await store.commitViews()
      case .ingest:
        tell(LifePhase.ingest.line)
        if generator.onceIn(4) { try await hurry(mix, in: store) }
        try await append(mix, to: store)
      }
    }
  }

  /// Returns the next phase.
  private mutating func next() -> LifePhase {
    if let bent, generator.onceIn(2) { return bent }
    switch Int.random(in: 0..<40, using: &generator) {
    case 0: return .close
    case 1: return .rebuild
    case 2, 3: return .suspend
    case 4: return .commit
    default: return .ingest
    }
  }

  /// Opens the store; in every other life, an event that touches more than 0 to 2 rows is huge.
  private func open() async throws -> Store {
    tell(LifePhase.open.line)
    var options = Store.Options()
    if seed % 2 == 1 { options.eventRowsMax = Int(seed / 2 % 3) }
    options.progress = { step in
      tell((step.done < step.last ? LifePhase.rebuild : .swap).line)
      return true
    }
    return try await Store.open(
      at: path, reducer: T.rules(T.views, version: 1), options: options)
  }

  private func close(_ store: Store) async {
    tell(LifePhase.close.line)
    await store.close()
  }

  private mutating func append(_ mix: T.Mix, to store: Store) async throws {
    let count = generator.onceIn(8) ? 100 : Int.random(in: 1...6, using: &generator)
    let happenings = (0..<count).map { _ in mix.happening(using: &generator) }
    let durability: Durability = Bool.random(using: &generator) ? .full : .relaxed
    let last = try await store.append(Batch(happenings), durability: durability).upperBound
    try acknowledge(last, in: store)
  }

  /// Submits several batches in quick succession, each of them shown immediately.
  private mutating func hurry(_ mix: T.Mix, in store: Store) async throws {
    var receipts: [Receipt] = []
    for _ in 0..<Int.random(in: 1...20, using: &generator) {
      let durability: Durability = Bool.random(using: &generator) ? .full : .relaxed
      let batch = Batch([mix.happening(using: &generator)])
      receipts.append(try store.submitAndShow(batch, durability: durability))
    }
    for receipt in receipts { try acknowledge(await receipt.durable().upperBound, in: store) }
  }

  private func acknowledge(_ last: RecordNumber, in store: Store) throws {
    let record = try store.log.read { snapshot throws(LogError) in try snapshot.record(last) }
    tell("\(last) \(record?.header.chain ?? 0)")
  }

  /// Removes the views, as a system short of space may do.
  private func removeViews() throws {
    guard Folder(path).contains("views") else { return }
    try Folder(path).folder("views").removeWithFiles()
  }
}
