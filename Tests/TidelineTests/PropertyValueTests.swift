import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// How rows hold values that have no field kind of their own.
@Suite struct PropertyValueTests {
  @Test func people_areOneText() {
    var dice = SeededGenerator(seed: 4)
    for count in 0..<50 {
      let people = (0..<count % 4).map { _ in
        Participant(
          name: Bool.random(using: &dice) ? Drawn.text(&dice) : nil, email: Drawn.text(&dice))
      }
      #expect([Participant](kept: people.kept) == people)
    }
    #expect([Participant(name: "Ann", email: "a@x.com")].kept == "3:Ann7:a@x.com")
    for text in [
      "3:An", "-", "3:Ann", "-x", "1:a-", "+1:a+1:a", "01:a1:a", "99999999999999999999:a",
    ] {
      #expect([Participant](kept: text) == nil, "\(text)")
    }
  }

  @Test func date_isKeptInMilliseconds() {
    for raw in [0, 1, -1, 1_750_000_000_123, -1_750_000_000_123, 253_402_300_799_999] as [Int64] {
      #expect(Date(timeIntervalSince1970: Double(raw) / 1000).kept.rawValue == raw)
    }
    #expect(Date(timeIntervalSince1970: .infinity).kept.rawValue == .max)
    #expect(Date(timeIntervalSince1970: -.infinity).kept.rawValue == .min)
    #expect(Date(timeIntervalSince1970: .greatestFiniteMagnitude).kept.rawValue == .max)
  }
}
