import EventStore

/// What a server says of an account.
extension ReducerState {
  /// Takes in a fact about the account itself.
  mutating func takeAccount(_ payload: RawSpan, _ occasion: Occasion) throws(Refusal) {
    let fact = try Fact(.account, .account, payload, of: occasion.account)
    guard fact.change != .deleted, fact.change != .gone,
      (fact.version ?? .max) >= (self[occasion.login, InboxFields.version] ?? .min)
    else { return }
    let isWhole = fact.change == .whole
    // The server's id isn't known everywhere, so that a fact may say nothing of it.
    let serverID = Accounts.serverID.bit
    _ = try write(into: occasion.login) { row throws(EventError) in
      let said = try ObjectKind.account.write(
        payload, of: occasion.number, into: &row, ignoring: fact.id.isEmpty ? serverID : 0,
        isWhole: isWhole)
      ObjectKind.account.finish(&row, having: isWhole ? .max : said.fields)
      let known = (row[InboxFields.known] ?? 0) | Int64(bitPattern: said.known & ~serverID)
      row[InboxFields.known] = isWhole ? -1 : known
    }
  }
}
