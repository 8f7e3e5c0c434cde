import EventStore
import LMDB
import TestSupport
import Testing

/// The small files have exactly the bytes that the documentation shows, and any other bytes in
/// their place are rejected.
@Suite struct ViewsFormatTests {
  static let screen: FirstScreen = {
    let log = LogStanding.sample()
    var screen = FirstScreen(store: log.store, incarnation: log.incarnation)
    screen.set(
      FirstScreen.Window(
        rows: [[1, 2, 3], []], count: 300, applied: LogPoint(number: 90, chain: 9), generation: 4,
        group: 6),
      for: FirstScreen.Key(view: "unread", plan: 5, group: "inbox"))
    return screen
  }()

  static let guarding: CrashGuard = {
    var guarding = CrashGuard(log: .sample(), recipe: .sample)
    guarding.noted = 10_000...10_015
    guarding.strikes = CrashGuard.Strikes(number: 77, deaths: 1)
    guarding.skipped = [33]
    return guarding
  }()

  @Test func files_haveTheBytesOfTheDocument() throws {
    let goldens = try Goldens.of("ViewsFormat")
    let files: [(name: String, bytes: [UInt8])] = [
      ("stamp", CleanStamp.sample.bytes), ("current", ViewsPointer.sample.bytes),
      ("first-screen", Self.screen.bytes), ("guard", Self.guarding.bytes),
    ]
    for file in files {
      #expect(file.bytes == goldens[file.name], "\(file.name): \(Goldens.text(file.bytes))")
    }
    #expect(CleanStamp(CleanStamp.sample.bytes.raw) == .sample)
    #expect(ViewsPointer(ViewsPointer.sample.bytes.raw) == .sample)
    #expect(FirstScreen(Self.screen.bytes.raw) == Self.screen)
    #expect(CrashGuard(Self.guarding.bytes.raw) == Self.guarding)
  }

  @Test func pointer_withoutARun_comesBack() {
    var pointer = ViewsPointer.sample
    pointer.boot = nil
    #expect(ViewsPointer(pointer.bytes.raw) == pointer)
  }

  /// Any flipped bit and any wrong length is noticed.
  @Test func damage_isAlwaysNoticed() {
    for bytes in Self.damaged(ViewsPointer.sample.bytes) {
      #expect(ViewsPointer(bytes.raw) == nil)
    }
    for bytes in Self.damaged(Self.guarding.bytes) { #expect(CrashGuard(bytes.raw) == nil) }
    for bytes in Self.damaged(Self.screen.bytes) {
      #expect(FirstScreen(bytes.raw)?.isEmpty != false)
    }
  }

  private static func damaged(_ bytes: [UInt8]) -> [[UInt8]] {
    let flipped = (0..<bytes.count * 8).map { bit in
      var other = bytes
      other[bit / 8] ^= 1 << UInt8(bit % 8)
      return other
    }
    return flipped + (0..<bytes.count).map { Array(bytes.prefix($0)) } + [bytes + [0]]
  }

  /// Arbitrary bytes, some of them after a valid seal, never trap.
  @Test func anyBytes_areReadOrRefused() {
    for seed in 0..<UInt64(Campaign.size(3000, long: 300_000)) {
      var random = SeededGenerator(seed: seed)
      let magic = ["tideview", "tidefirs", "tideguar"].randomElement(using: &random) ?? ""
      let count = Int.random(in: 0..<200, using: &random)
      let extreme = Bool.random(using: &random)
      var body = (0..<count).map { _ in
        let word = random.next()
        return extreme ? 0 &- UInt8(word & 1) : UInt8(truncatingIfNeeded: word)
      }
      if count > 36, Bool.random(using: &random) {
        body.replaceSubrange(32..<36, with: [1, 0, 0, 0])
      }
      var bytes = Array(magic.utf8) + [1, 0, 0, 0]
      bytes.append(littleEndian: Checksum.of(body.raw, continuing: Checksum.of(bytes.raw)))
      bytes += body
      _ = ViewsPointer(bytes.raw)
      _ = CleanStamp(body.raw)
      _ = FirstScreen(bytes.raw)
      if var guarding = CrashGuard(bytes.raw) {
        _ = guarding.takeDeath()
        #expect(CrashGuard(guarding.bytes.raw) == guarding, "seed \(seed)")
      }
    }
  }
}
