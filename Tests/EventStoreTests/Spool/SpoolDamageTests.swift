import EventStore
import Foundation
import LMDB
import TestSupport
import Testing

/// Whatever is in the folder, anything but an event is refused and kept, and the rest is drained.
@Suite struct SpoolDamageTests {
  /// The example from the documentation.
  private static let golden = """
    74 69 64 65 73 70 6C 31   01 00 00 00   1F 00 00 00
    13 0E   23 04   32   43 80 A0 AB FE F9 62   53 06   63 08   73 0A
    A5 01 0A 6D 65 73 73 61 67 65 2F 31 37
    15 06 4C 75 6E 63 68 3F   9A D2 BF AD
    """

  @Test func file_isAsDocumented() async throws {
    let place = try await SpoolFolder()
    let event = Event(
      kind: EventKind(rawValue: 7), version: 2, origin: .intent,
      recordedAt: Event.note.recordedAt, login: Login(account: 3, epoch: 4), cause: .record(5))
    let name = try place.spool.write(event, about: "message/17") { $0.put(1, "Lunch?") }
    let hex = try place.bytes(of: name).map { String(format: "%02X", $0) }.joined()
    #expect(hex == Self.golden.filter { !$0.isWhitespace })
    #expect(name == "8000018bcfe56800-488516f644812e60.event")
    await place.log.close()
  }

  @Test func file_cutAnywhere_isRefused() async throws {
    try await expectRefusal { bytes in bytes.indices.map { Array(bytes.prefix($0)) } }
  }

  @Test func file_withAnyBitFlipped_isRefused() async throws {
    try await expectRefusal { bytes in
      (0..<(bytes.count * 8)).map { bit in
        var flipped = bytes
        flipped[bit / 8] ^= 1 << (bit % 8)
        return flipped
      }
    }
  }

  @Test func file_withMoreBehindIt_isRefused() async throws {
    try await expectRefusal { bytes in (1...9).map { bytes + [UInt8](repeating: 0, count: $0) } }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func randomBytes_areRefused(seed: UInt64) async throws {
    try await expectRefusal { bytes in
      var generator = SeededGenerator(seed: seed)
      return (0..<100).map { _ in
        Array(bytes.prefix(Int.random(in: 0...24, using: &generator)))
          + (0..<Int.random(in: 0...60, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
          }
      }
    }
  }

  /// Random fields with a valid checksum: whatever is accepted must be an event.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func randomFields_areRefusedOrDrained(seed: UInt64) async throws {
    let place = try await SpoolFolder()
    var generator = SeededGenerator(seed: seed)
    let bytes = try place.bytes(of: try place.write(["a"])[0])
    for index in 0..<300 {
      var file = Array(bytes.dropLast(4))
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let offset = Int.random(in: 12..<file.count, using: &generator)
        file[offset] = UInt8.random(in: 0...255, using: &generator)
      }
      file.append(littleEndian: Checksum.of(file.span.bytes))
      try place.put(file, as: "\(index).event")
    }
    let drained = try await place.log.drain(place.spool)
    #expect(drained.records.count + drained.refused.count == 301, "seed \(seed)")
    #expect(drained.refused.count > 100, "seed \(seed)")
    #expect(try place.log.texts().count == drained.records.count, "seed \(seed)")
    #expect(try place.folder.names() == drained.refused.map(\.name).sorted(), "seed \(seed)")
    await place.log.close()
  }

  @Test func damage_isNamed() async throws {
    let place = try await SpoolFolder()
    let bytes = try place.bytes(of: try place.write(["a"])[0])
    var newer = bytes
    newer[8] = 2
    try place.put(Array("hello".utf8), as: "1.event")
    try place.put(newer, as: "2.event")
    try place.put(Array(bytes.dropLast()), as: "3.event")
    try place.put([], as: "4.event")
    try place.put(bytes + [UInt8](repeating: 0, count: 17 << 20), as: "5.event")
    try place.folder.folder("6.event").create()
    try place.put(Array("taken".utf8), as: "1.event.refused")
    let drained = try await place.log.drain(place.spool)
    #expect(drained.records == [1])
    #expect(
      drained.refused.dropLast() == [
        Drained.Refusal(name: "1.event.2.refused", damage: .foreign),
        Drained.Refusal(name: "2.event.refused", damage: .newerFormat(2)),
        Drained.Refusal(name: "3.event.refused", damage: .damaged),
        Drained.Refusal(name: "4.event.refused", damage: .damaged),
        Drained.Refusal(name: "5.event.refused", damage: .tooLarge),
      ])
    guard let last = drained.refused.last, case .unreadable = last.damage, last.name == "6.event"
    else { Issue.record("\(drained.refused)"); return }
    let names = drained.refused.map(\.name) + ["1.event.refused"]
    #expect(try place.folder.names() == names.sorted())
    await place.log.close()
  }

  /// The pipe has no writer, and the drain does not wait for one.
  @Test(.timeLimit(.minutes(5))) func pipe_isRefused() async throws {
    let place = try await SpoolFolder()
    #expect(mkfifo(place.folder.path(of: "1.event"), 0o600) == 0)
    try place.write(["a"])
    let drained = try await place.log.drain(place.spool)
    #expect(drained.records == [1] && drained.refused.map(\.name) == ["1.event"])
    guard case .unreadable? = drained.refused.first?.damage else {
      Issue.record("\(drained.refused)")
      return
    }
    await place.log.close()
  }

  /// The payload is longer than any log accepts.
  @Test func payloadThatIsTooLong_isRefused() async throws {
    let place = try await SpoolFolder()
    let bytes = try place.bytes(of: try place.write(["a"])[0])
    var long = Array(bytes.dropLast(4)) + [UInt8](repeating: 0, count: Log.payloadBytesMax)
    long.append(littleEndian: Checksum.of(long.span.bytes))
    try place.put(long, as: "1.event")
    let drained = try await place.log.drain(place.spool)
    #expect(drained.records == [1])
    #expect(drained.refused == [Drained.Refusal(name: "1.event.refused", damage: .tooLarge)])
    await place.log.close()
  }

  /// Drains files made from a sound one together with that file, which alone is appended.
  private func expectRefusal(_ damaged: ([UInt8]) -> [[UInt8]]) async throws {
    let place = try await SpoolFolder()
    let sound = try place.write(["sound"])[0]
    var kept: [String: [UInt8]] = [:]
    for (index, bytes) in try damaged(place.bytes(of: sound)).enumerated() {
      try place.put(bytes, as: "\(index).event")
      kept["\(index).event.refused"] = bytes
    }
    let drained = try await place.log.drain(place.spool)
    #expect(drained.records == [1])
    #expect(Set(drained.refused.map(\.name)) == Set(kept.keys))
    #expect(try place.files() == kept)
    #expect(try place.log.texts() == ["sound"])
    await place.log.close()
  }
}
