import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Objects that a program stores decode to the same objects, or to an error.
@Suite struct ModelDamageTests {
  @Test(arguments: ModelTests.models.indices) func json_cutOrEdited_isReadOrRefused(
    index: Int
  ) throws {
    try damage(ModelTests.models[index])
  }

  private func damage<Object: Model>(_ type: Object.Type) throws {
    let alphabet = Array(#"{}[]":,0e-. \unlltr"#.utf8) + [0, 0xC3, 0xFF]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for seed in 0..<UInt64(Campaign.size(150, long: 20_000)) {
      var dice = SeededGenerator(seed: seed)
      var bytes = try encoder.encode(Drawn.object(type, &dice))
      if Bool.random(using: &dice) { bytes.removeLast(.random(in: 0..<bytes.count, using: &dice)) }
      for _ in 0..<Int.random(in: 0...3, using: &dice) where !bytes.isEmpty {
        bytes[.random(in: bytes.indices, using: &dice)] =
          alphabet[.random(in: alphabet.indices, using: &dice)]
      }
      guard let object = try? JSONDecoder().decode(type, from: bytes) else { continue }
      // A decoded object that fits into a row reads back the same.
      guard let row = try? object.row() else { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(try Object(row).map { try $0.row() } == row, "seed \(seed): \(text)")
    }
  }

  @Test func people_damaged_areReadOrNot() {
    let parts = ["3:", "Ann", "-", "7:a@x.com", ":", "0", "1", "99", "é", "e\u{301}", "+", " "]
    for seed in 0..<UInt64(Campaign.size(5_000, long: 500_000)) {
      var dice = SeededGenerator(seed: seed)
      let count = Int.random(in: 0..<8, using: &dice)
      let text = (0..<count).map { _ in parts.randomElement(using: &dice) ?? "" }.joined()
      guard let people = [Participant](kept: text) else { continue }
      #expect(Array(people.kept.utf8) == Array(text.utf8), "seed \(seed): \(text)")
    }
  }

  @Test func json_ofAnyBytes_isReadOrRefused() {
    let alphabet = Array(#"{}[]":,\u0dtrueflsn1-.eE+"#.utf8) + [0x20, 0x0A, 0xC3, 0xA9, 0xFF]
    for seed in 0..<UInt64(Campaign.size(20_000, long: 1_000_000)) {
      var dice = SeededGenerator(seed: seed)
      let count = Int.random(in: 0..<40, using: &dice)
      let bytes = (0..<count).map { _ in alphabet[.random(in: alphabet.indices, using: &dice)] }
      var parser = JSONParser(bytes)
      guard let value = try? parser.parse() else { continue }
      // A bare number counts as cut off, since more digits may follow; brackets end it.
      var again = JSONParser(Array("[\(value.text)]".utf8))
      #expect((try? again.parse()) == .array([value]), "seed \(seed)")
    }
  }
}
