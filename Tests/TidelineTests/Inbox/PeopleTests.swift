import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// People whom messages name, and the addresses by which messages are found.
@Suite struct PeopleTests {
  private static let names = [nil, "", "Ann", "Zoë", "7:Ann-", "日本"]
  private static let addresses = ["", "A@X.com", "b@x", "Ä@x", "ZZ@y", "-", "3:a"]

  @Test(arguments: 0..<UInt64(Campaign.size(10, long: 1_000)))
  func people_areKept_andTheirAddressesFindThem(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let told = [ObjectField.from, .to, .cc].map { field in
      (
        field,
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in
          Participant(
            name: Self.names.randomElement(using: &random) ?? nil,
            email: Self.addresses.randomElement(using: &random) ?? "")
        }
      )
    }
    try await TestDesk.withInbox { inbox, _ in
      let fields = ObjectFields { fields in
        fields.put(.id, "m")
        for (field, people) in told {
          fields.put(field, people.map { ObjectPerson(name: $0.name, email: $0.email) })
        }
      }
      try await inbox.record(ObjectFact(.message, fields))
      let message = try #require(try inbox.object(Message.self, "m"))
      #expect([message.from, message.to, message.cc] == told.map(\.1), "seed \(seed)")
      for address in Self.addresses.map({ Participant(email: $0).address }) {
        let found = try inbox.provider(
          Message.self, where: #Predicate { $0.addresses.contains(address) })
        #expect(
          found.start.list.isEmpty != message.addresses.contains(address),
          "seed \(seed), \(address)")
      }
    }
  }

  /// The people of a message are cut to what fits in 8 KiB, those of a draft aren't.
  @Test func longList_isCutInAMessage_asIfTheRestHadNotBeenTold() async throws {
    let people = (0..<400).map { Participant(name: $0 % 2 == 0 ? "É" : nil, email: "p\($0)@x.y") }
    let told = people.map { ObjectPerson(name: $0.name, email: $0.email) }
    let fields = ObjectFields { fields in
      fields.put(.id, "m")
      fields.put(.to, told + told)
    }
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.record(ObjectFact(.draft, fields))
      #expect(try inbox.object(Draft.self, "m")?.to == people + people)
      try await inbox.record(ObjectFact(.message, fields))
      let kept = try #require(try inbox.object(Message.self, "m")).to
      let next = Array((people + people).prefix(kept.count + 1))
      #expect(kept == next.dropLast())
      #expect(kept.kept.utf8.count <= 8192 && next.kept.utf8.count > 8192)
    }
  }
}
