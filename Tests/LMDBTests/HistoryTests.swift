import LMDB
import TestSupport
import Testing

/// Random histories over tables with every kind of key, comparing the whole table after each step.
@Suite struct HistoryTests {
  @Test(arguments: [false, true], Prove.seeds)
  func integers(duplicates: Bool, seed: UInt64) throws {
    var random = Seeded(seed)
    let near = (0..<40).map { _ in UInt64(random.below(1 << 17)) }
    let far = (0..<20).map { _ in random.next() }
    try run(Set(near + far + [0, 255, 256, .max]).sorted(), duplicates, seed)
  }

  @Test(arguments: [false, true], Prove.seeds)
  func bigEndianIntegers(duplicates: Bool, seed: UInt64) throws {
    var random = Seeded(seed)
    let numbers = Set((0..<50).map { _ in UInt32(truncatingIfNeeded: random.next()) } + [0, .max])
    try run(numbers.sorted().map(BigEndian.init), duplicates, seed)
  }

  @Test(arguments: [false, true], Prove.seeds)
  func texts(duplicates: Bool, seed: UInt64) throws {
    var random = Seeded(seed)
    let letters = ["a", "b", "ä", "日", "🙂", "\u{0}"]
    let texts = Set((0..<60).map { _ in text(of: letters, 1 + random.below(90), &random) })
    let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    try run(sorted, duplicates, seed)
  }

  @Test(arguments: [false, true], Prove.seeds)
  func bytes(duplicates: Bool, seed: UInt64) throws {
    var random = Seeded(seed)
    let ends: [[UInt8]] = [[0], [0, 0], [255], [255, 255], Array(repeating: 255, count: 511)]
    let keys = Set((0..<60).map { _ in [7] + random.bytes(below: 511) } + ends)
    try run(keys.sorted { $0.lexicographicallyPrecedes($1) }, duplicates, seed)
  }

  private func text(of letters: [String], _ count: Int, _ random: inout Seeded) -> String {
    (0..<count).map { _ in letters[random.below(letters.count)] }.joined()
  }

  private func run<Key: TableElement & Equatable>(
    _ keys: [Key], _ duplicates: Bool, _ seed: UInt64
  ) throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let options: TableOptions = duplicates ? [.create, .duplicates] : .create
    var history = History(keys, try environment.table("history", options: options), seed: seed)
    for _ in 0..<20 { try history.run(8, in: environment) }
  }
}
