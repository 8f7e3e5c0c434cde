import LMDB
import TestSupport
import Testing

@Suite struct KeptReaderTests {
  /// A kept reader finds what a transaction begun at its moment finds, near the last answer or far
  /// from it, in either table, before commits and after.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func bytesNearTheLast_areThoseOfTheTransaction(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let tables: [Table<UInt64, [UInt8]>] = try ["one", "two"].map { try environment.table($0) }
    var seen: [[UInt64: [UInt8]]] = [[:], [:]]
    var now = seen
    let reader = KeptReader(environment)
    for step in 0..<2_000 {
      let place = Int.random(in: 0...1, using: &generator)
      let key = UInt64.random(in: 0..<600, using: &generator)
      switch step % 50 {
      case 48:
        try environment.write { transaction throws(LMDBError) in
          for key in key..<(key + 40) {
            let value = [UInt8](repeating: UInt8(step & 255), count: 30 + Int(key % 50))
            now[place][key] = value
            try transaction.put(value, for: key, in: tables[place])
          }
        }
      case 49:
        try reader.renew()
        seen = now
      default:
        let near = step % 3 == 0 ? key : UInt64(step % 600)
        let found = try reader.read { loan throws(LMDBError) in
          let bytes = try loan.bytes(near: near, in: tables[place])
          return bytes?.array
        }
        #expect(found == seen[place][near], "seed \(seed), step \(step)")
      }
    }
  }
}
