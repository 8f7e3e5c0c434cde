import EventStore
import LMDB
import TestSupport
import Testing

/// The recipient of a spool's events is the one that was set last, or unknown.
@Suite struct RecipientTests {
  private static let recipients: [Recipient] = [
    .nobody, .login(Login(account: 0, epoch: 0)), .unknown, .unknown,
    .login(Login(account: .max, epoch: 1)), .login(Login(account: 1, epoch: .max)), .nobody,
  ]

  @Test func recipient_isWhatWasSaidLast() async throws {
    let place = try await SpoolFolder()
    #expect(place.spool.recipient() == .unknown)
    for recipient in Self.recipients {
      try place.spool.setRecipient(recipient)
      let other = try Spool(at: place.spool.path)
      #expect(place.spool.recipient() == recipient && other.recipient() == recipient)
    }
    await place.log.close()
  }

  @Test func file_isThatOfTheDocument() async throws {
    let place = try await SpoolFolder()
    try place.spool.setRecipient(.login(Login(account: 7, epoch: 0x0102_0304)))
    let login = try place.bytes(of: "recipient")
    #expect(
      login.count == 20 && login.starts(with: Array("tiderec1".utf8) + [7, 0, 0, 0, 4, 3, 2, 1]))
    try place.spool.setRecipient(.nobody)
    let nobody = try place.bytes(of: "recipient")
    #expect(nobody.count == 12 && nobody.starts(with: Array("tiderec1".utf8)))
    try place.spool.setRecipient(.unknown)
    #expect(try place.folder.names() == [])
    await place.log.close()
  }

  @Test func file_thatIsDamagedInAnyWay_saysNothing() async throws {
    let place = try await SpoolFolder()
    for recipient in [Recipient.nobody, .login(Login(account: 7, epoch: 2))] {
      try place.spool.setRecipient(recipient)
      let bytes = try place.bytes(of: "recipient")
      for count in bytes.indices { try expectUnknown(Array(bytes.prefix(count)), place) }
      for bit in 0..<(bytes.count * 8) {
        var bytes = bytes
        bytes[bit / 8] ^= 1 << (bit % 8)
        try expectUnknown(bytes, place)
      }
      try expectUnknown(bytes + [0], place)
      try expectUnknown(bytes + [UInt8](repeating: 0, count: 100_000), place)
    }
    await place.log.close()
  }

  @Test func file_ofAnotherKind_saysNothing() async throws {
    let place = try await SpoolFolder()
    for text in [
      "tiderec2", "tiderec1\0\0\0\0", "tiderec1\0\0\0\0\0\0\0\0\0", "tidespl1\0\0\0\0\0\0\0\0",
    ] {
      var bytes = Array(text.utf8)
      bytes.append(littleEndian: Checksum.of(bytes.raw))
      try expectUnknown(bytes, place)
    }
    await place.log.close()
  }

  private func expectUnknown(_ bytes: [UInt8], _ place: SpoolFolder) throws {
    try place.folder.remove("recipient")
    try place.put(bytes, as: "recipient")
    #expect(place.spool.recipient() == .unknown, "\(bytes.prefix(24))")
  }

  @Test func drain_leavesIt() async throws {
    let place = try await SpoolFolder()
    try place.spool.setRecipient(.nobody)
    try place.put([1], as: "recipient.new")
    try place.write(["a"])
    #expect(try await place.log.drain(place.spool).records == [1])
    #expect(place.spool.recipient() == .nobody)
    try place.spool.setRecipient(.unknown)
    try place.spool.setRecipient(.nobody)
    #expect(try place.folder.names() == ["recipient"])
    await place.log.close()
  }

  @Test func spool_thatIsGone_saysNothing_andCantBeTold() async throws {
    let place = try await SpoolFolder()
    try place.folder.removeWithFiles()
    #expect(place.spool.recipient() == .unknown)
    #expect(throws: LogError.missing(path: place.spool.path)) {
      try place.spool.setRecipient(.nobody)
    }
    await place.log.close()
  }
}
