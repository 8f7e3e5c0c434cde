import EventStore

/// What a server says of an account.
extension State {
  /// Takes in a fact about the account itself.
  mutating func takeAccount(_ payload: RawSpan, _ occasion: Occasion) throws(Refusal) {
    let fact = try Fact(.account, Accounts.facts, payload, occasion)
    guard fact.change != .deleted, fact.change != .gone,
      (fact.version ?? .max) >= (self[occasion.login, InboxFields.version] ?? .min)
    else { return }
    var result: Result<Void, EventError> = .success(())
    try edit(occasion.login) { row in
      result = Result { () throws(EventError) in
        let isWhole = fact.change == .whole
        let said = try Accounts.facts.write(
          payload, of: occasion.number, into: &row, isWhole: isWhole)
        row[Accounts.foldedName] = row.folded(Accounts.name)
        row[Accounts.foldedEmailAddress] = row.folded(Accounts.emailAddress)
        row[InboxFields.known] =
          (row[InboxFields.known] ?? 0)
          | (isWhole ? -1 : Int64(bitPattern: said.known & ~Accounts.serverID.bit))
      }
    }
    do throws(EventError) { try result.get() } catch { throw Refusal(error) }
  }
}

extension Accounts {
  /// What facts about accounts write.
  fileprivate static let facts = ObjectKind(
    .account, collection,
    [
      .id: .text(serverID), .email: .text(emailAddress), .name: .text(name),
      .provider: .text(provider), .status: .text(status), .scope: .text(scope),
      .lastSync: .time(lastSync),
    ])
}
