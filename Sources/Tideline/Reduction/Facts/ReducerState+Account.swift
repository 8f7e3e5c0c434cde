import EventStore

/// Facts about an account.
extension ReducerState {
  /// Applies a fact about the account itself.
  mutating func takeAccount(_ payload: RawSpan, _ occasion: Occasion) throws(Refusal) {
    let fact = try Fact(.account, .account, payload, of: occasion.account, in: &spares)
    guard fact.change != .deleted, fact.change != .gone,
      (fact.version ?? .max) >= (self[occasion.login, InboxFields.version] ?? .min)
    else { return }
    let isWhole = fact.change == .whole
    // Not every source knows the server's id, so the fact may lack it.
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
