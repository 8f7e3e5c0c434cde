import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSimulator
import TidelineSync

/// Several people's doings at once, with a real store that is kept in step with a server: which is
/// hard to reach, while the store is suspended and resumed.
///
/// It takes some seconds: there are files, a network that takes its time, and waits.
@Suite(.timeLimit(.minutes(5))) struct CommotionTests {
  @Test func whatIsWanted_isDoneOnce_andWhatIsTakenBack_never() async throws {
    // They have to be met often enough to say something: on slow processors little is, as the store
    // is suspended most of the time.
    var (wanted, takenBack) = (0, 0)
    while wanted <= 10 || takenBack == 0 {
      let fates = try await live()
      wanted += fates.count { $0 == .wanted }
      takenBack += fates.count { $0 == .takenBack }
    }
  }

  private func live() async throws -> [Commotion.Fate] {
    // What is drawn from it comes out differently each time all the same, as many act at once.
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
  /// Whether a server may have done it so often.
  fileprivate func allows(_ count: Int) -> Bool {
    switch self {
    case .wanted, .confirmed: count == 1
    case .takenBack, .refused: count == 0
    case .unknown: count <= 1
    }
  }
}

extension ShakyServer {
  /// How often it did what was wanted: by the tags that it gave, however often it was asked for
  /// them, and by the texts of what it sent.
  fileprivate var done: [String: Int] {
    var done: [String: Int] = [:]
    for deed in deeds {
      if case .tags(let added, _) = deed.part.wanted { added.forEach { done[$0] = 1 } }
    }
    for message in messages where !message.isDraft { done[message.text, default: 0] += 1 }
    return done
  }
}
