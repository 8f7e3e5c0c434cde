import EventStore
import LMDB
import TestSupport
import ToyDomains

/// What a process does with a store until it is killed: appends, lets go of it and takes it up
/// again, and has its views made anew.
struct Life<T: Toy> {
  private let path: String
  private let seed: UInt64
  private var generator: SeededGenerator

  private init(_ path: String, _ seed: UInt64) {
    (self.path, self.seed) = (path, seed)
    generator = SeededGenerator(seed: seed)
  }

  /// Lives in the store at a path, and tells each acknowledged batch's last record and the log's
  /// chain there.
  static func live(_ path: String, _ seed: UInt64) async throws {
    var life = Life(path, seed)
    try await life.live()
  }

  private mutating func live() async throws {
    let mix = T.Mix.random(using: &generator)
    if generator.onceIn(3) { try removeViews() }
    var store = try await open()
    tell("opened")
    while true {
      switch Int.random(in: 0..<40, using: &generator) {
      case 0:
        await store.close()
        store = try await open()
      case 1:
        await store.close()
        try removeViews()
        store = try await open()
      case 2, 3:
        await store.suspend()
        try await store.resume()
      case 4: try await store.commitViews()
      case 5..<15: try await hurry(mix, in: store)
      default: try await append(mix, to: store)
      }
    }
  }

  /// Every other life takes an event that touches more than a row or two for a huge one.
  private func open() async throws -> Store {
    var options = Store.Options()
    if seed % 2 == 1 { options.eventRowsMax = Int(seed / 2 % 3) }
    return try await Store.open(
      at: path, reducer: T.rules(T.views, version: 1), options: options)
  }

  private mutating func append(_ mix: T.Mix, to store: Store) async throws {
    let count = generator.onceIn(8) ? 100 : Int.random(in: 1...6, using: &generator)
    let happenings = (0..<count).map { _ in mix.happening(using: &generator) }
    let durability: Durability = Bool.random(using: &generator) ? .full : .relaxed
    let last = try await store.append(Batch(happenings), durability: durability).upperBound
    try acknowledge(last, in: store)
  }

  /// Submits some batches, one right behind the other, each of which is shown at once.
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

  /// As whoever needs room does.
  private func removeViews() throws {
    guard Folder(path).contains("views") else { return }
    try Folder(path).folder("views").removeWithFiles()
  }
}
