import EventStore
import TestSupport
import Testing

/// Any bytes either are a payload in its only form, or throw.
@Suite struct PayloadDamageTests {
  @Test func payload_cutAnywhere_decodesOrThrows() {
    for seed in 0..<40 as Range<UInt64> {
      let bytes = sample(seed)
      for count in bytes.indices { check(Array(bytes.prefix(count)), "seed \(seed)") }
    }
  }

  @Test func payload_withAnyBitFlipped_decodesOrThrows() {
    for seed in 0..<20 as Range<UInt64> {
      var bytes = sample(seed)
      for bit in 0..<(bytes.count * 8) {
        bytes[bit / 8] ^= 1 << (bit % 8)
        check(bytes, "seed \(seed), bit \(bit)")
        bytes[bit / 8] ^= 1 << (bit % 8)
      }
    }
  }

  // Takes about a second in a debug build: most random bytes fail early, so many are needed.
  @Test func randomBytes_decodeOrThrow() {
    for seed in 0..<100_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      check(.random(upTo: 40, using: &generator), "seed \(seed)")
    }
  }

  @Test func payload_withRandomEdits_decodesOrThrows() {
    for seed in 0..<5_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var bytes = PayloadFields.everyType.encoded
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8(truncatingIfNeeded: generator.next())
      }
      check(bytes, "seed \(seed)")
    }
  }

  private func sample(_ seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    var fields = PayloadFields.random(depth: 2, using: &generator)
    fields[1 << 20] = .fields(.everyType)
    return fields.encoded
  }

  private func check(_ bytes: [UInt8], _ origin: @autoclosure () -> String) {
    do throws(PayloadError) {
      let fields = try PayloadFields(decoding: bytes.span.bytes)
      if fields.encoded != bytes { Issue.record("\(bytes) has two forms, \(origin())") }
    } catch {
      guard !(0...bytes.count ~= error.offset) else { return }
      Issue.record("\(error) is outside of \(bytes), \(origin())")
    }
  }
}
