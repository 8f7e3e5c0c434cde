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
    for number in [1, 3, 9, 15, 1 << 20] where passed(bytes, number) != read(bytes, number) {
      Issue.record("fields below \(number) of \(bytes) are not passed over, \(origin())")
    }
    do throws(PayloadError) {
      let fields = try PayloadFields(decoding: bytes.span.bytes)
      if fields.encoded != bytes { Issue.record("\(bytes) has two forms, \(origin())") }
    } catch {
      guard !(0...bytes.count ~= error.offset) else { return }
      Issue.record("\(error) is outside of \(bytes), \(origin())")
    }
  }

  /// Returns the number of the first field from a number on, found by reading all before it.
  private func read(_ bytes: [UInt8], _ number: Int) -> Result<Int?, PayloadError> {
    Result { () throws(PayloadError) in
      var reader = PayloadReader(bytes.span.bytes)
      while let field = try reader.next() { if field.number >= number { return field.number } }
      return nil
    }
  }

  /// Returns the same, found by passing over all before it.
  private func passed(_ bytes: [UInt8], _ number: Int) -> Result<Int?, PayloadError> {
    Result { () throws(PayloadError) in
      var reader = PayloadReader(bytes.span.bytes)
      try reader.pass(below: number)
      return try reader.next()?.number
    }
  }
}
