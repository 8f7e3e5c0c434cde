import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Objects survive a round trip through rows and through JSON.
@Suite struct ModelTests {
  static let models: [any Model.Type] = [
    Account.self, MailThread.self, Message.self, Draft.self, Tag.self, Contact.self,
    Attachment.self, RichMessage.self,
  ]

  @Test(arguments: models.indices) func object_isTheSameAfterRowAndJSON(index: Int) throws {
    try expectSame(Self.models[index])
  }

  private func expectSame<Object: Model>(_ type: Object.Type) throws {
    var dice = SeededGenerator(seed: 5)
    var presence: UInt64 = 0
    for _ in 0..<100 {
      let object = try Drawn.object(type, &dice)
      let row = try object.row()
      presence |= row.presence
      #expect(Object(row) == object)
      #expect(try Object(row)?.row() == row)
      let json = try JSONEncoder().encode(object)
      #expect(try JSONDecoder().decode(Object.self, from: json) == object)
    }
    let held = Object.properties.compactMap(\.field?.number) + [2]
    let expected = Object.collection.fields.filter { held.contains($0.number) || $0.name == "kind" }
    #expect(Object.collection.fields.filter { presence >> ($0.number - 1) & 1 == 1 } == expected)
  }

  /// A stored property without a field would be lost.
  @Test(arguments: models.indices) func properties_areAllHeld(index: Int) throws {
    let object = Self.models[index].init(id: "1", account: 1)
    let stored = Mirror(reflecting: object).children.compactMap(\.label)
    let held = Set(names(of: object)).union(["id", "account", "known", "filesAreSaid"])
    #expect(stored.filter { !held.contains($0) } == [])
  }

  private func names<Object: Model>(of object: Object) -> [String] {
    Object.properties.compactMap(\.field?.name)
  }

  @Test(.feature(18)) func rowID_isAccountAndID() throws {
    #expect(MailThread(id: "a/b", account: 3).rowID == "3/a/b")
    #expect(MailThread(try Row("3/a/b", in: MailThread.collection))?.id == "a/b")
    #expect(MailThread(try Row("3/a/b", in: MailThread.collection))?.account == 3)
    #expect(Account(try Row("12", in: Account.collection))?.account == 12)
    #expect(Account(try Row("4294967295", in: Account.collection))?.account == .max)
    for id in ["a", "03/a", "+3/a", "/a", "3a/a", "4294967296/a", "42949672950/a"] {
      #expect(MailThread(try Row(id, in: MailThread.collection)) == nil, "\(id)")
    }
    #expect(Account(try Row("1/a", in: Account.collection)) == nil)
  }

  /// A mark at the start of an id is one character with what precedes it.
  @Test(.feature(18), arguments: ["\u{301}a", "\u{FE0F}", "\u{200D}/b", "\u{1F3FD}"])
  func rowID_isSplit_beforeAMark(id: String) throws {
    let thread = try #require(MailThread(try MailThread(id: id, account: 3).row()))
    #expect(thread.account == 3 && thread.id.utf8.elementsEqual(id.utf8))
    #expect(ObjectList<MailThread>([try thread.row()]).map(\.id) == [id])
    #expect(Draft(id: "local-\(id)", account: 3).isUnsynced)
  }

  @Test func message_isNoDraft() throws {
    let row = try Message(id: "1", account: 1).row()
    #expect(Message(row) != nil)
    #expect(Draft(row) == nil)
    #expect(Message(try Draft(id: "1", account: 1).row()) == nil)
    #expect(try QueryPlan<Message>().contains(row))
    #expect(try !QueryPlan<Draft>().contains(row))
    #expect(try QueryPlan<Draft>().contains(Draft(id: "1", account: 1).row()))
  }

  /// The word written for a draft's state is read as the same state.
  @Test func draftStates_haveWords() {
    for state in Draft.State.allCases {
      #expect(state.word.flatMap(Draft.State.init(told:)) == (state == .unsent ? nil : state))
    }
    #expect(Draft.State(told: "other") == nil)
  }

  @Test func id_isTemporary() {
    #expect(Draft(id: "local-00", account: 1).isUnsynced)
    #expect(!Draft(id: "00", account: 1).isUnsynced)
  }

  @Test(.feature(20)) func partial_knowsWhatItKnows() throws {
    let row = try Row("1/a", in: RichMessage.collection) { $0[Field<String>("alert", 17)] = "Hi" }
    var message = try #require(RichMessage(row))
    #expect(message.isPartial)
    #expect(message.knows(\.alert))
    #expect(!message.knows(\.subject))
    message.known = -1
    let whole = try #require(RichMessage(try message.row()))
    #expect(!whole.isPartial)
    #expect(whole.knows(\.subject))
  }
}
