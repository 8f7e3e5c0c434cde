import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSimulator
import TidelineSync

/// Several people act at once on a real store that syncs with a server, which is hard to reach,
/// while the store is suspended and resumed.
///
/// The test takes some seconds, as it uses files, a slow network and waits.
@Suite(.timeLimit(.minutes(5))) struct CommotionTests {
  @Test func whatIsWanted_isDoneOnce_andWhatIsTakenBack_never() async throws {
    // The test needs enough intents to mean something: on slow processors there are few, as the
    // store is suspended most of the time.
    var (wanted, takenBack) = (0, 0)
    while wanted <= 10 || takenBack == 0 {
      let fates = try await live()
      wanted += fates.count { $0 == .wanted }
      takenBack += fates.count { $0 == .takenBack }
    }
  }

  private func live() async throws -> [Commotion.Fate] {
    // The seed doesn't make a run repeatable, as many tasks act at once.
    let seed = UInt64.random(in: 0...999_999)
    var result: [Commotion.Fate] = []
    try await Commotion.with(seed: seed) { commotion in
      let fates = try await commotion.run()
      let done = commotion.server.done
      let wrong = fates.filter { !$1.allows(done[$0] ?? 0) }.map { ($0, $1, done[$0] ?? 0) }
      #expect(wrong.isEmpty, "seed \(seed)")
      #expect(try commotion.shown() == commotion.served, "seed \(seed)")
      result = Array(fates.values)
    }
    return result
  }
}

extension Commotion.Fate {
  /// Whether a server may have done it `count` times.
  fileprivate func allows(_ count: Int) -> Bool {
    switch self {
    case .wanted, .confirmed: count == 1
    case .takenBack, .refused: count == 0
    case .unknown: count <= 1
    }
  }
}

extension ShakyServer {
  /// How often each intent was carried out: a tag counts once, however often it was requested, and
  /// a sent message counts each time.
  fileprivate var done: [String: Int] {
    var done: [String: Int] = [:]
    for deed in deeds {
      if case .tags(let added, _) = deed.part.wanted { added.forEach { done[$0] = 1 } }
    }
    for message in messages where !message.isDraft { done[message.text, default: 0] += 1 }
    return done
  }
}
